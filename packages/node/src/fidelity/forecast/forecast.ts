import {
  type Address,
  type BlockContext,
  type Done,
  type Fork,
  type Message,
  type Prices,
  pricesOf,
  type Rejected,
  type Word,
} from '@understudy/evm'
import type { BlockReplay, ReplayedTransaction } from '../../chain/history/blockReplay.ts'
import type { History } from '../../chain/history/history.ts'
import type { KnownContracts } from '../../contracts/knownContracts.ts'
import { runToEnd } from '../../execution/run.ts'
import type { ComputingTime } from '../../shared/budget/computingTime.ts'
import { currentBudget, currentTime } from '../../shared/budget/requestBudget.ts'
import type { Engine } from '../../shared/engine.ts'
import { isNetworkError, NetworkError } from '../../shared/errors.ts'
import type { GasProfiles } from '../../traces/gas/gasProfiles.ts'
import { applyDiff, beginTransaction, changesOf } from '../../traces/runs/runBlock.ts'
import type { LoadRunLines } from '../../traces/runs/runLines.ts'
import { countPassed, type Passed, walkBack } from '../walkBack.ts'
import { createLocate } from './callSites.ts'
import { type Comparison, compareRuns, type Effect, withGas } from './effect.ts'
import { createExplain, type ExplainLimits } from './explain.ts'
import { addFinding, type FunctionForecast, FunctionTally } from './functionTally.ts'
import { sampleBlocks } from './sampleBlocks.ts'

export type ForecastEntry = {
  block: bigint
  transaction: Word
  from: Address
  to: Address | undefined
  effect: Effect
  cause: Comparison['cause']
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
  /** How many blocks were run. */
  blocks: number
  transactions: number
  /** Those with each effect, also where the list is cut off. */
  effects: Record<Effect, number>
  /** Those that would have logs of ether transfers (EIP-7708) and no other difference in their logs. */
  transferLogs: number
  /** Those of types that are not run here, by their type. */
  passed: Passed
  /** Those that were not valid here after others were passed. */
  refused: number
  functions: FunctionForecast[]
  entries: ForecastEntry[]
  /** Why it ended early; `undefined` if it did not. */
  stopped: string | undefined
}

export type ForecastRequest = {
  fork: Fork
  /** At most so many blocks are run. */
  blocks: number
  /** The blocks of which they are taken; by default, the newest ones. */
  fromBlock: bigint | undefined
  toBlock: bigint | undefined
  /** Only transactions that call one of them, in any frame, or that it sends; empty: all. */
  addresses: readonly Address[]
}

/** Runs transactions again, by the rules of another fork. */
export type Forecaster = { forecast(request: ForecastRequest): Promise<Forecast> }

/** The most entries of a forecast. */
const listLimit = 1000

type Needs = {
  history: Pick<History, 'head' | 'loadReplay' | 'loadLogs'>
  engine: Engine
  abis: KnownContracts
  loadLines: LoadRunLines
  gasProfiles: Pick<GasProfiles, 'compare'>
}

/** A forecast that is being made. */
type Work = {
  request: ForecastRequest
  addresses: ReadonlySet<Address>
  time: ComputingTime
  found: Forecast
  tally: FunctionTally
  limits: ExplainLimits
}

export function createForecaster({ callTimeout }: { callTimeout: number }, needs: Needs): Forecaster {
  const { history, engine, abis } = needs
  const explain = createExplain({ engine, gasProfiles: needs.gasProfiles, locate: createLocate(needs) })

  async function runBlock(replay: BlockReplay, work: Work) {
    const { state, transactions } = replay
    for (const transaction of transactions) {
      beginTransaction(state, transaction)
      const now = await runTransaction(replay, transaction, work)
      if (now) applyDiff(engine, state, await changesOf(replay, transaction, now))
    }
  }

  async function runTransaction(replay: BlockReplay, transaction: ReplayedTransaction, work: Work) {
    const { block, state } = replay
    const { time, found, request, tally } = work
    const signal = currentBudget()?.signal
    const { hash, message } = transaction
    if (!message) {
      countPassed(found.passed, transaction)
      return undefined
    }
    const now = await runToEnd(engine, message, block, state, { kind: 'transaction', time }, signal)
    if (now.type === 'rejected') {
      found.refused++
      return undefined
    }
    if (!concerns(now, work.addresses)) return now
    found.transactions++
    const later = blockInFork(block, request.fork)
    const then = await runToEnd(engine, message, later, state, { kind: 'transaction', time }, signal)
    const runWith = (gasLimit: bigint) =>
      Promise.resolve(runToEnd(engine, withGas(message, gasLimit), later, state, { kind: 'call', time }, signal))
    const compared = await compareRuns({ message, now, then, blockGasLimit: block.gasLimit, runWith })
    const run = { message, block, later, state, time }
    const finding = await explain(run, { now, compared }, work.limits)
    note(found, { block: block.number, hash, message }, now, { ...compared, cause: finding?.cause ?? compared.cause })
    const rows = tally.add(now, compared)
    if (finding) addFinding(rows, { ...finding, transaction: hash })
    return now
  }

  return {
    async forecast(request) {
      const { number } = history.head().header
      const range = rangeOf(request, number)
      const addresses = new Set(request.addresses)
      const work: Work = {
        request,
        addresses,
        time: currentTime(callTimeout * 1000),
        found: emptyForecast(request.fork, range.to),
        tally: new FunctionTally(addresses),
        limits: { replays: 200, profiles: 20, explained: new Map() },
      }
      const { found } = work
      const numbers = await sampleBlocks(range, request.blocks, addresses, history)
      const limit = await walkBack({
        newest: BigInt(numbers.length - 1),
        oldest: 0n,
        wanted: () => numbers.length - found.blocks,
        load: (index) =>
          history.loadReplay({ number: numbers[numbers.length - 1 - Number(index)] as bigint }).catch(unlessSkipped),
        async visit(replay) {
          await runBlock(replay, work)
          if (found.blocks === 0) found.toBlock = replay.block.number
          found.fromBlock = replay.block.number
          found.blocks++
        },
      })
      if (limit && found.blocks === 0) throw limit
      found.stopped = limit?.message
      found.functions = await work.tally.list(abis)
      return found
    },
  }
}

/** The first block of a chain has no state before it. */
function rangeOf({ blocks, fromBlock, toBlock }: ForecastRequest, head: bigint): { from: bigint; to: bigint } {
  const to = toBlock === undefined || toBlock > head ? head : toBlock
  const from = fromBlock ?? to - BigInt(blocks) + 1n
  if (fromBlock !== undefined && fromBlock > to)
    throw new NetworkError('INVALID_PARAMS', {
      field: 'fromBlock',
      problem: `${fromBlock} is after the last block of the range, ${to}`,
    })
  return { from: from < 1n ? 1n : from, to }
}

/** The network has no block with a number that it skipped. */
function unlessSkipped(error: unknown): undefined {
  if (!isNetworkError(error, 'NOT_FOUND')) throw error
  return undefined
}

const emptyForecast = (fork: Fork, newest: bigint): Forecast => ({
  fork,
  fromBlock: newest,
  toBlock: newest,
  blocks: 0,
  transactions: 0,
  effects: { fails: 0, 'needs gas': 0, 'costs more': 0, logs: 0 },
  transferLogs: 0,
  passed: [],
  refused: 0,
  functions: [],
  entries: [],
  stopped: undefined,
})

function concerns({ frames }: Done, addresses: ReadonlySet<Address>): boolean {
  return addresses.size === 0 || frames.some(({ from, to }) => addresses.has(from) || addresses.has(to))
}

const gasUsedOf = (result: Done | Rejected) => (result.type === 'done' ? result.gasUsed : 0n)

function note(
  found: Forecast,
  { block, hash, message }: { block: bigint; hash: Word; message: Message },
  now: Done,
  { effect, cause, reason, result, onlyTransfers }: Comparison,
): void {
  if (onlyTransfers) found.transferLogs++
  if (!effect) return
  found.effects[effect]++
  if (found.entries.length === listLimit) return
  found.entries.push({
    block,
    transaction: hash,
    from: message.from,
    to: message.to,
    effect,
    cause,
    gasLimit: message.gasLimit,
    gasUsed: now.gasUsed,
    forecastGasUsed: gasUsedOf(result),
    reason,
    logs: now.logs.length,
    forecastLogs: result.type === 'done' ? result.logs.length : 0,
  })
}

/** A block by the rules of another fork. Of the chain's own prices, it keeps those that the fork leaves as they are. */
export function blockInFork(block: BlockContext, fork: Fork): BlockContext {
  if (!block.prices) return { ...block, fork }
  const [now, then] = [pricesOf(block.fork), pricesOf(fork)]
  const kept = Object.entries(block.prices).filter(([name]) => {
    const price = name as keyof Prices
    return price === 'precompiles' || now[price] === then[price]
  })
  return { ...block, fork, prices: Object.fromEntries(kept) }
}
