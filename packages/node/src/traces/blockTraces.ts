import type { Address, FlatCallTrace } from '@understudy/evm'
import type { History } from '../chain/history/history.ts'
import { NetworkError } from '../shared/errors.ts'
import { quantity } from '../shared/hex.ts'
import type { BlockTag } from '../state/blockTag.ts'
import { callsOf } from './runs/parityResults.ts'
import type { Traces } from './traces.ts'

export type TraceFilter = {
  from: bigint
  to: bigint
  /** Any of these is the caller; `undefined`: any caller. */
  fromAddresses: readonly Address[] | undefined
  /** Any of these is called, created or credited. */
  toAddresses: readonly Address[] | undefined
  /** With both lists: `union` requires a match in one of them, `intersection` in both. */
  mode: 'union' | 'intersection'
  /** Number of matches to skip. */
  after: number | undefined
  /** Maximum number of matches to return. */
  count: number | undefined
}

/** Maximum number of blocks that one filter may scan, and of traces that it may find. */
const filterBlockLimit = 10_000n
const filterTraceLimit = 10_000
/** Maximum number of upstream's blocks that are replayed here. */
const upstreamBlockLimit = 100n

/** The traces of blocks on both sides of the fork. */
export class BlockTraces {
  readonly #history: Pick<History, 'head' | 'origin' | 'resolve'>
  readonly #traces: Pick<Traces, 'ask' | 'runBlock'>

  constructor(history: Pick<History, 'head' | 'origin' | 'resolve'>, traces: Pick<Traces, 'ask' | 'runBlock'>) {
    this.#history = history
    this.#traces = traces
  }

  /** Upstream's traces of its own block, if it supports them. */
  async load(tag: BlockTag): Promise<FlatCallTrace[]> {
    const { origin, number, hash } = await this.#history.resolve(tag)
    const there =
      origin === 'upstream'
        ? await this.#traces.ask('trace_block', [quantity(number)], { hasFallback: true })
        : undefined
    return Array.isArray(there) ? (there as FlatCallTrace[]) : this.#tracesOfBlock({ hash })
  }

  /** Those that match. Throws `LIMIT_EXCEEDED` for more blocks or matches than one filter may have. */
  async filter(filter: TraceFilter): Promise<FlatCallTrace[]> {
    const head = this.#history.head().header.number
    const to = filter.to < head ? filter.to : head
    const { from, after = 0, count = filterTraceLimit } = filter
    if (to - from >= filterBlockLimit)
      throw new NetworkError('LIMIT_EXCEEDED', {
        what: `a filter over ${to - from + 1n} blocks`,
        limit: filterBlockLimit,
      })
    const found = await this.#filterUpstream({ ...filter, to })
    const start = from > this.#history.origin.number ? from : this.#history.origin.number + 1n
    for (let number = start; number <= to && found.length < after + count; number++) {
      const ofBlock = await this.#tracesOfBlock({ number })
      found.push(...ofBlock.filter((trace) => matchesFilter(trace, filter)))
      requireFew(found, filter)
    }
    return found.slice(after, after + count)
  }

  /**
   * Upstream's traces in a range, and maybe more than match. Given both lists, some nodes return what is in one of them, and
   * others what is in both: each list is asked for by itself.
   */
  async #askFilter(
    { fromAddresses, toAddresses, mode }: TraceFilter,
    from: bigint,
    to: bigint,
  ): Promise<FlatCallTrace[] | undefined> {
    const range = { fromBlock: quantity(from), toBlock: quantity(to) }
    const ofFrom = fromAddresses && { fromAddress: fromAddresses }
    const ofTo = toAddresses && { toAddress: toAddresses }
    const parts = mode === 'union' && ofFrom && ofTo ? [ofFrom, ofTo] : [ofFrom ?? ofTo ?? {}]
    const lists = await Promise.all(parts.map((part) => this.#traces.ask('trace_filter', [{ ...range, ...part }])))
    if (!lists.every(Array.isArray)) return undefined
    const [first = [], second] = lists.map((list) => list.filter(isTrace))
    return second ? inOrder([...first, ...second]) : first
  }

  /** The matches in blocks before the fork: upstream filters them, or a few blocks are replayed here. */
  async #filterUpstream(filter: TraceFilter): Promise<FlatCallTrace[]> {
    const { origin } = this.#history
    const from = filter.from > 0n ? filter.from : 1n
    const to = filter.to < origin.number ? filter.to : origin.number
    if (from > to) return []
    const there = await this.#askFilter(filter, from, to)
    if (there) return there.filter((trace) => matchesFilter(trace, filter))
    if (to - from >= upstreamBlockLimit)
      throw new NetworkError('LIMIT_EXCEEDED', {
        what: `a filter over ${to - from + 1n} blocks from before the fork, which upstream cannot filter itself`,
        limit: upstreamBlockLimit,
      })
    const found: FlatCallTrace[] = []
    for (let number = from; number <= to; number++) {
      const ofBlock = await this.load({ number })
      found.push(...ofBlock.filter((trace) => matchesFilter(trace, filter)))
      requireFew(found, filter)
    }
    return found
  }

  async #tracesOfBlock(tag: BlockTag): Promise<FlatCallTrace[]> {
    const found: FlatCallTrace[] = []
    for await (const { run } of this.#traces.runBlock(tag)) found.push(...(await callsOf(run)))
    return found
  }
}

function matchesFilter({ action, result }: FlatCallTrace, filter: TraceFilter): boolean {
  const { fromAddresses, toAddresses, mode } = filter
  const isOneOf = (addresses: readonly Address[], address: unknown) => addresses.includes(address as Address)
  const from = fromAddresses && isOneOf(fromAddresses, action.from ?? action.address)
  const to = toAddresses && isOneOf(toAddresses, action.to ?? action.refundAddress ?? result?.address)
  if (from === undefined || to === undefined) return from ?? to ?? true
  return mode === 'union' ? from || to : from && to
}

/** Each trace once, oldest first. */
function inOrder(found: readonly FlatCallTrace[]): FlatCallTrace[] {
  const byPosition = new Map(found.map((trace) => [JSON.stringify(positionOf(trace)), trace]))
  return [...byPosition.values()].sort((a, b) => comparePositions(positionOf(a), positionOf(b)))
}

function isTrace(found: unknown): found is FlatCallTrace {
  const { action, traceAddress } = (found ?? {}) as Partial<FlatCallTrace>
  return typeof action === 'object' && action !== null && Array.isArray(traceAddress)
}

/** The block, the transaction, and the position among its calls. */
const positionOf = ({ blockNumber, transactionPosition, traceAddress }: FlatCallTrace): number[] => [
  Number(blockNumber),
  Number(transactionPosition ?? -1),
  ...traceAddress,
]

function comparePositions(a: readonly number[], b: readonly number[]): number {
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
