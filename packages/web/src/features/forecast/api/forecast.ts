import {
  type Forecast,
  forecastParts,
  type LoadBlock,
  mergeForecasts,
  newestBlocks,
} from '@understudy/client/forecasts'
import { useRef, useState } from 'react'
import { type Hex, numberToHex } from 'viem'
import { type Params, rpc } from '../../../lib/rpc/rpc.ts'

type Hardfork = Params<'dev_forecast'>[0]['hardfork']

/** Which transactions are run: those that call the contracts of the workspaces, or all; of the newest blocks, or of a week. */
export type ForecastChoice = { isOwn: boolean; range: ForecastRange }
export type ForecastRange = 'newest' | 'day' | 'week'

const hardfork: Hardfork = 'amsterdam'
/** Of a day or a week, a sample. */
const shownBlocks = 16
const sampleBlocks = 96
const seconds = { day: 86_400, week: 604_800 }

type State = {
  report?: Forecast
  /** The contracts that were asked about; empty: all. */
  addresses: readonly string[]
  /** Parts that were answered, and how many there are; `undefined` while nothing runs. */
  progress?: { done: number; of: number }
  problem?: unknown
}

/** Makes a forecast part by part, until it is stopped. */
export function useForecast() {
  const [state, setState] = useState<State>({ addresses: [] })
  const run = useRef(0)

  async function start({ isOwn, range }: ForecastChoice) {
    const mine = ++run.current
    setState({ addresses: [], progress: { done: 0, of: 1 } })
    try {
      const addresses = isOwn ? await ownContracts() : []
      const parts = forecastParts(await rangeOf(range), range === 'newest' ? shownBlocks : sampleBlocks)
      let report: Forecast | undefined
      for (const [index, part] of parts.entries()) {
        const found = await rpc('dev_forecast', { hardfork, addresses, ...part })
        if (run.current !== mine) return
        report = mergeForecasts(report, found)
        const isDone = index + 1 === parts.length
        setState({ addresses, report, ...(!isDone && { progress: { done: index + 1, of: parts.length } }) })
      }
    } catch (problem) {
      if (run.current === mine) setState(({ progress: _, ...known }) => ({ ...known, problem }))
    }
  }

  /** Keeps what was found; the part that runs now is the last that is asked for. */
  function stop() {
    run.current++
    setState(({ progress: _, ...known }) => known)
  }

  return { ...state, start, stop }
}

async function ownContracts(): Promise<`0x${string}`[]> {
  const workspaces = await rpc('dev_getWorkspaces')
  const addresses = workspaces.flatMap(({ kind, address }) => (kind === 'wallet' || address === null ? [] : [address]))
  if (addresses.length === 0) throw new Error('No workspace has a deployed contract')
  return [...new Set(addresses)].slice(0, 1000)
}

async function rangeOf(range: ForecastRange): Promise<{ from: number; to: number }> {
  const { from, to } = range === 'newest' ? await newestOf() : await newestBlocks(seconds[range], loadBlock)
  return { from: Number(from), to: Number(to) }
}

async function newestOf(): Promise<{ from: bigint; to: bigint }> {
  const { number: to } = await loadBlock()
  return { from: to > BigInt(shownBlocks) ? to - BigInt(shownBlocks) + 1n : 1n, to }
}

const loadBlock: LoadBlock = async (number) => {
  const tag = number === undefined ? 'latest' : numberToHex(number)
  const block = await rpc<{ number: Hex; timestamp: Hex }>('eth_getBlockByNumber', tag, false)
  return { number: BigInt(block.number), timestamp: BigInt(block.timestamp) }
}
