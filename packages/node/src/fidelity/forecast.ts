import type { Address, Done, Fork, Log, Message, Rejected, Word } from '@understudy/evm'
import type { BlockReplay } from '../chain/history/blockReplay.ts'
import type { History } from '../chain/history/history.ts'
import { systemAddress } from '../ethereum/constants.ts'
import { runToEnd } from '../execution/run.ts'
import type { ComputingTime } from '../shared/budget/computingTime.ts'
import { currentBudget, currentTime } from '../shared/budget/requestBudget.ts'
import type { Engine } from '../shared/engine.ts'
import { isNetworkError } from '../shared/errors.ts'
import { hexFromBytes } from '../shared/hex.ts'
import { applyDiff, beginTransaction, changesOf } from '../traces/runs/runBlock.ts'
import { walkBack } from './walkBack.ts'

/**
 * What another fork makes of a transaction: it fails, whatever its gas; it needs a higher gas limit; it costs more; or only
 * its logs are others. What only costs less is not listed.
 */
export type Effect = 'fails' | 'needs gas' | 'costs more' | 'logs'

export type ForecastEntry = {
  block: bigint
  transaction: Word
  from: Address
  to: Address | undefined
  effect: Effect
  gasLimit: bigint
  gasUsed: bigint
  /** What it uses by the rules of the other fork; with enough gas, where its limit is too low. */
  forecastGasUsed: bigint
  /** Why it fails; `undefined` if it does not. */
  reason: string | undefined
  logs: number
  forecastLogs: number
}

export type Forecast = {
  fork: Fork
  fromBlock: bigint
  toBlock: bigint
  transactions: number
  /** Those with each effect, also where the list is cut off. */
  effects: Record<Effect, number>
  /** Those that would have logs of ether transfers (EIP-7708) and no other difference in their logs. */
  transferLogs: number
  entries: ForecastEntry[]
  /** Why it ended early; `undefined` if it did not. */
  stopped: string | undefined
}

/** `addresses`: only transactions that call one of them, in any frame, or that it sends; empty: all. */
export type ForecastRequest = { fork: Fork; blocks: number; addresses: readonly Address[] }

/** Runs transactions again, by the rules of another fork. */
export type Forecaster = { forecast(request: ForecastRequest): Promise<Forecast> }

/** The most entries of a forecast. */
const listLimit = 1000

type Needs = { history: Pick<History, 'head' | 'loadReplay'>; engine: Engine }

export function createForecaster({ callTimeout }: { callTimeout: number }, { history, engine }: Needs): Forecaster {
  async function runBlock(replay: BlockReplay, request: ForecastRequest, time: ComputingTime, found: Forecast) {
    const { block, state, transactions } = replay
    const then = { ...block, fork: request.fork }
    const signal = currentBudget()?.signal
    for (const transaction of transactions) {
      const { hash, message } = transaction
      if (!message) continue
      beginTransaction(state, transaction)
      const now = await runToEnd(engine, message, block, state, { kind: 'transaction', time }, signal)
      if (now.type === 'rejected') continue
      if (concerns(now, request.addresses)) {
        found.transactions++
        const other = await runToEnd(engine, message, then, state, { kind: 'transaction', time }, signal)
        const generous = needsMore(now, other)
          ? await runToEnd(engine, withGas(message, block.gasLimit), then, state, { kind: 'call', time }, signal)
          : undefined
        note(found, { block: block.number, hash, message }, now, other, generous)
      }
      applyDiff(engine, state, await changesOf(replay, transaction, now))
    }
  }

  return {
    async forecast(request) {
      const time = currentTime(callTimeout * 1000)
      const { number } = history.head().header
      const found = emptyForecast(request.fork, number)
      const oldest = number - BigInt(request.blocks) + 1n
      let visited = 0
      const limit = await walkBack({
        newest: number,
        oldest: oldest < 1n ? 1n : oldest,
        wanted: () => request.blocks - visited,
        load: (number) => history.loadReplay({ number }).catch(unlessSkipped),
        async visit(replay) {
          await runBlock(replay, request, time, found)
          found.fromBlock = replay.block.number
          visited++
        },
      })
      if (limit && visited === 0) throw limit
      found.stopped = limit?.message
      return found
    },
  }
}

/** The network has no block with a number that it skipped. */
function unlessSkipped(error: unknown): undefined {
  if (!isNetworkError(error, 'NOT_FOUND')) throw error
  return undefined
}

const emptyForecast = (fork: Fork, head: bigint): Forecast => ({
  fork,
  fromBlock: head,
  toBlock: head,
  transactions: 0,
  effects: { fails: 0, 'needs gas': 0, 'costs more': 0, logs: 0 },
  transferLogs: 0,
  entries: [],
  stopped: undefined,
})

function concerns({ frames }: Done, addresses: readonly Address[]): boolean {
  return addresses.length === 0 || frames.some(({ from, to }) => addresses.includes(from) || addresses.includes(to))
}

/** Whether a higher gas limit may help. */
function needsMore(now: Done, then: Done | Rejected): boolean {
  if (then.type === 'rejected') return then.reason === 'INTRINSIC_GAS_TOO_LOW'
  return now.status === 'success' && then.status !== 'success'
}

/** Fees do not matter for it, only gas. */
function withGas(message: Message, gasLimit: bigint): Message {
  return {
    ...message,
    gasLimit,
    gasPrice: 0n,
    maxFeePerGas: undefined,
    maxPriorityFeePerGas: undefined,
    maxFeePerBlobGas: undefined,
  }
}

function note(
  found: Forecast,
  { block, hash, message }: { block: bigint; hash: Word; message: Message },
  now: Done,
  then: Done | Rejected,
  generous: Done | Rejected | undefined,
): void {
  const helped = generous?.type === 'done' && generous.status === now.status ? generous : undefined
  const result = helped ?? then
  const forecastLogs = result.type === 'done' ? result.logs : []
  const sameLogs = textOf(now.logs) === textOf(forecastLogs)
  const onlyTransfers =
    !sameLogs && textOf(now.logs) === textOf(forecastLogs.filter(({ address }) => address !== systemAddress))
  if (result.type === 'done' && onlyTransfers) found.transferLogs++
  const effect = effectOf(now, then, helped, sameLogs || onlyTransfers)
  if (!effect) return
  found.effects[effect]++
  if (found.entries.length === listLimit) return
  found.entries.push({
    block,
    transaction: hash,
    from: message.from,
    to: message.to,
    effect,
    gasLimit: message.gasLimit,
    gasUsed: now.gasUsed,
    forecastGasUsed: result.type === 'done' ? result.gasUsed : 0n,
    reason: effect === 'fails' || effect === 'needs gas' ? reasonOf(then) : undefined,
    logs: now.logs.length,
    forecastLogs: forecastLogs.length,
  })
}

function effectOf(now: Done, then: Done | Rejected, helped: Done | undefined, sameLogs: boolean): Effect | undefined {
  if (helped) return 'needs gas'
  if (then.type === 'rejected' || (now.status === 'success' && then.status !== 'success')) return 'fails'
  if (then.gasUsed > now.gasUsed) return 'costs more'
  return sameLogs ? undefined : 'logs'
}

const reasonOf = (result: Done | Rejected): string =>
  result.type === 'rejected' ? `refused: ${result.reason}` : (result.halt ?? result.status)

const textOf = (logs: readonly Log[]): string =>
  logs.map(({ address, topics, data }) => [address, ...topics, hexFromBytes(data)].join(' ')).join('\n')
