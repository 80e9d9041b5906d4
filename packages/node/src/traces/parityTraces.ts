import { type FlatCallTrace, type Hex, type OpcodeGas, opcodeGasTracer, type Word } from '@understudy/evm'
import type { History } from '../chain/history/history.ts'
import { messageFrom } from '../chain/sealing/blockBuilder.ts'
import { decodeTransaction } from '../ethereum/decodeTransaction.ts'
import type { CallRequest } from '../execution/execution.ts'
import { NetworkError } from '../shared/errors.ts'
import { quantity } from '../shared/hex.ts'
import type { JsonText } from '../shared/json/jsonText.ts'
import type { BlockTag } from '../state/blockTag.ts'
import { Overlay } from '../state/overlay.ts'
import { callsOf, type ParityResults, type ParityTraceType, parityResultsOf } from './parityResults.ts'
import { matchesFilter, type TraceFilter } from './traceFilter.ts'
import type { Traces } from './traces.ts'

/** The `trace_` methods, in OpenEthereum's format. */
export type ParityTraces = {
  traceTransaction(hash: Word): Promise<FlatCallTrace[] | JsonText>
  /** The same, as values. */
  loadCalls(hash: Word): Promise<FlatCallTrace[]>
  traceBlock(tag: BlockTag): Promise<FlatCallTrace[]>
  filter(filter: TraceFilter): Promise<FlatCallTrace[]>
  call(request: CallRequest, types: readonly ParityTraceType[], block: BlockTag): Promise<ParityResults | JsonText>
  /** Each runs on the state after the previous one. */
  callMany(
    calls: readonly (readonly [CallRequest, readonly ParityTraceType[]])[],
    block: BlockTag,
  ): Promise<ParityResults[]>
  /** Runs a signed transaction on the newest state without sending it. Throws if it is invalid. */
  rawTransaction(encoded: Hex, types: readonly ParityTraceType[]): Promise<ParityResults>
  loadOpcodeGas(hash: Word): Promise<TransactionOpcodeGas>
  loadBlockOpcodeGas(tag: BlockTag): Promise<BlockOpcodeGas>
  replayTransaction(hash: Word, types: readonly ParityTraceType[]): Promise<ParityResults | JsonText>
  replayBlock(tag: BlockTag, types: readonly ParityTraceType[]): Promise<ParityResults[]>
}

/** The gas of a transaction by operation. */
export type TransactionOpcodeGas = { transactionHash: Word; opcodeGas: OpcodeGas[] }
export type BlockOpcodeGas = { blockHash: Word; blockNumber: number; transactions: TransactionOpcodeGas[] }

type Needs = { history: Pick<History, 'at' | 'head' | 'origin' | 'resolve'>; traces: Traces }

/** Maximum number of blocks that one filter may scan, and of traces that it may find. */
const filterBlockLimit = 10_000n
const filterTraceLimit = 10_000
/** Maximum number of upstream's blocks that are replayed here. */
const upstreamBlockLimit = 100n

export function createParityTraces({ history, traces }: Needs): ParityTraces {
  async function tracesOfBlock(tag: BlockTag): Promise<FlatCallTrace[]> {
    const found: FlatCallTrace[] = []
    for await (const { run } of traces.runBlock(tag)) found.push(...(await callsOf(run)))
    return found
  }

  const askBlock = (number: bigint) => traces.ask('trace_block', [quantity(number)], { hasOtherWay: true })

  /** Upstream's traces of its own block, if it supports them. */
  async function loadBlockTraces(tag: BlockTag): Promise<FlatCallTrace[]> {
    const { origin, number, hash } = await history.resolve(tag)
    const there = origin === 'upstream' ? await askBlock(number) : undefined
    return Array.isArray(there) ? (there as FlatCallTrace[]) : tracesOfBlock({ hash })
  }

  /**
   * Upstream's traces in a range, and maybe more than match. Given both lists, some nodes return what is in one of them, and
   * others what is in both: each list is asked for by itself.
   */
  async function askFilter(
    { fromAddresses, toAddresses, mode }: TraceFilter,
    from: bigint,
    to: bigint,
  ): Promise<FlatCallTrace[] | undefined> {
    const range = { fromBlock: quantity(from), toBlock: quantity(to) }
    const ofFrom = fromAddresses && { fromAddress: fromAddresses }
    const ofTo = toAddresses && { toAddress: toAddresses }
    const parts = mode === 'union' && ofFrom && ofTo ? [ofFrom, ofTo] : [ofFrom ?? ofTo ?? {}]
    const lists = await Promise.all(parts.map((part) => traces.ask('trace_filter', [{ ...range, ...part }])))
    if (!lists.every(Array.isArray)) return undefined
    const [first = [], second] = lists.map((list) => list.filter(isTrace))
    return second ? inOrder([...first, ...second]) : first
  }

  /** The matches in blocks before the fork: upstream filters them, or a few blocks are replayed here. */
  async function filterUpstream(filter: TraceFilter): Promise<FlatCallTrace[]> {
    const { origin } = history
    const from = filter.from > 0n ? filter.from : 1n
    const to = filter.to < origin.number ? filter.to : origin.number
    if (from > to) return []
    const there = await askFilter(filter, from, to)
    if (there) return there.filter((trace) => matchesFilter(trace, filter))
    if (to - from >= upstreamBlockLimit)
      throw new NetworkError('LIMIT_EXCEEDED', {
        what: `a filter over ${to - from + 1n} blocks from before the fork, which upstream cannot filter itself`,
        limit: upstreamBlockLimit,
      })
    const found: FlatCallTrace[] = []
    for (let number = from; number <= to; number++) {
      const ofBlock = await loadBlockTraces({ number })
      found.push(...ofBlock.filter((trace) => matchesFilter(trace, filter)))
      requireFew(found, filter)
    }
    return found
  }

  /** Upstream's calls of its own transaction, if it supports them. */
  async function loadCallsThere(hash: Word): Promise<FlatCallTrace[] | undefined> {
    const ask = () => traces.ask('trace_transaction', [hash], { hasOtherWay: true })
    const there = (await traces.isOwn(hash)) ? undefined : await ask()
    return Array.isArray(there) ? (there as FlatCallTrace[]) : undefined
  }

  return {
    async traceTransaction(hash) {
      const there = await loadCallsThere(hash)
      return there ?? (traces.makeOfTransaction(hash, { type: 'calls' }) as Promise<FlatCallTrace[] | JsonText>)
    },
    loadCalls: async (hash) => (await loadCallsThere(hash)) ?? callsOf(await traces.runTransaction(hash)),
    traceBlock: loadBlockTraces,
    async filter(filter) {
      const head = history.head().header.number
      const to = filter.to < head ? filter.to : head
      const { from, after = 0, count = filterTraceLimit } = filter
      if (to - from >= filterBlockLimit)
        throw new NetworkError('LIMIT_EXCEEDED', {
          what: `a filter over ${to - from + 1n} blocks`,
          limit: filterBlockLimit,
        })
      const found = await filterUpstream({ ...filter, to })
      const start = from > history.origin.number ? from : history.origin.number + 1n
      for (let number = start; number <= to && found.length < after + count; number++) {
        const ofBlock = await tracesOfBlock({ number })
        found.push(...ofBlock.filter((trace) => matchesFilter(trace, filter)))
        requireFew(found, filter)
      }
      return found.slice(after, after + count)
    },
    async call(request, types, block) {
      return traces.makeOfCall(request, { block }, { type: 'parity', types }) as Promise<ParityResults | JsonText>
    },
    async callMany(calls, block) {
      const { view, block: context } = await history.at(block)
      const overlay = new Overlay(view)
      const results: ParityResults[] = []
      for (const [request, types] of calls) {
        const run = await traces.runCallAt(request, { block: context, view: overlay })
        results.push(await parityResultsOf(run, types))
        overlay.apply(run.result.diff)
      }
      return results
    },
    async rawTransaction(encoded, types) {
      const { block, view } = await history.at('pending')
      const message = messageFrom(decodeTransaction(encoded), block)
      return parityResultsOf(await traces.runMessage({ message, block, view, kind: 'transaction' }), types)
    },
    loadOpcodeGas: async (transactionHash) => ({
      transactionHash,
      opcodeGas: await opcodeGasTracer(await traces.runTransaction(transactionHash)),
    }),
    async loadBlockOpcodeGas(tag) {
      const { hash: blockHash, number } = await history.resolve(tag)
      const transactions: TransactionOpcodeGas[] = []
      for await (const { hash: transactionHash, run } of traces.runBlock({ hash: blockHash }))
        transactions.push({ transactionHash, opcodeGas: await opcodeGasTracer(run) })
      return { blockHash, blockNumber: Number(number), transactions }
    },
    async replayTransaction(hash, types) {
      const ask = () => traces.ask('trace_replayTransaction', [hash, types], { hasOtherWay: true })
      const there = (await traces.isOwn(hash)) ? undefined : await ask()
      return (there ?? traces.makeOfTransaction(hash, { type: 'parity', types })) as Promise<ParityResults | JsonText>
    },
    async replayBlock(tag, types) {
      const { origin, number, hash } = await history.resolve(tag)
      const ask = () => traces.ask('trace_replayBlockTransactions', [quantity(number), types], { hasOtherWay: true })
      const there = origin === 'upstream' ? await ask() : undefined
      if (Array.isArray(there)) return there as ParityResults[]
      const results: ParityResults[] = []
      for await (const { hash: transactionHash, run } of traces.runBlock({ hash }))
        results.push({ ...(await parityResultsOf(run, types)), transactionHash })
      return results
    },
  }
}

/** Each trace once, oldest first. */
function inOrder(found: readonly FlatCallTrace[]): FlatCallTrace[] {
  const byPlace = new Map(found.map((trace) => [JSON.stringify(placeOf(trace)), trace]))
  return [...byPlace.values()].sort((a, b) => comparePlaces(placeOf(a), placeOf(b)))
}

function isTrace(found: unknown): found is FlatCallTrace {
  const { action, traceAddress } = (found ?? {}) as Partial<FlatCallTrace>
  return typeof action === 'object' && action !== null && Array.isArray(traceAddress)
}

/** The block, the transaction, and the position among its calls. */
const placeOf = ({ blockNumber, transactionPosition, traceAddress }: FlatCallTrace): number[] => [
  Number(blockNumber),
  Number(transactionPosition ?? -1),
  ...traceAddress,
]

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = (a[index] as number) - (b[index] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function requireFew(found: readonly FlatCallTrace[], { after = 0, count }: TraceFilter): void {
  if (count !== undefined || found.length <= after + filterTraceLimit) return
  throw new NetworkError('LIMIT_EXCEEDED', {
    what: 'the filter matches too many traces; use fewer blocks, addresses, or a page with after and count',
    limit: filterTraceLimit,
  })
}
