import type { Address } from '@understudy/evm'
import { decodeStoredHeader } from '../ethereum/header.ts'
import type { Queries } from '../storage/database.ts'
import {
  type ActivityPart,
  loadActivityTimeline,
  loadFirstActivity,
} from '../storage/records/activity/activityTimeline.ts'
import { loadNewestBlock } from '../storage/records/chain/blocks.ts'
import { loadBlocksSince } from './blocksSince.ts'

/** Activity of an address over time, in equal intervals, oldest first. */
export type Timeline = {
  /** Length of an interval, in seconds. */
  seconds: number
  /** `from`: the start of an interval, in seconds since 1970. */
  parts: (ActivityPart & {
    from: bigint /** `undefined` if no block was sealed in it. */
    blocks: { first: bigint; last: bigint } | undefined
  })[]
  /** Whether there is more than is counted: only the newest of each kind are. */
  truncated: boolean
}

export type TimelineQuery = {
  /** The period up to the latest block; `undefined`: since the first activity. */
  windowSeconds: bigint | undefined
  /** Maximum number of intervals. */
  parts: number
}

/** Maximum number of counted calls, transactions and events each: the newest. */
export const countedActivity = 20_000

export async function loadTimeline(
  address: Address,
  { windowSeconds, parts: most }: TimelineQuery,
  { queries }: { queries: Queries },
): Promise<Timeline> {
  const head = await loadNewestBlock(queries)
  const oldest = await loadFirstActivity(queries, address)
  if (!head || oldest === undefined) return { seconds: 1, parts: [], truncated: false }
  const end = decodeStoredHeader(head.header).timestamp + 1n
  const begin = windowSeconds === undefined ? await timeOf(queries, oldest) : end - windowSeconds
  const seconds = ceilDivide(max(end - begin, 1n), BigInt(most))
  const count = Number(ceilDivide(max(end - begin, 1n), seconds))
  const moments = Array.from({ length: count }, (_, index) => begin + BigInt(index) * seconds)
  const starts = await loadBlocksSince(queries, moments, { from: min(oldest, head.number), to: head.number })
  const { parts, truncated } = await loadActivityTimeline(queries, address, { starts, limit: countedActivity })
  return {
    seconds: Number(seconds),
    parts: parts.map((part, index) => {
      const first = starts[index] as bigint
      const last = (starts[index + 1] ?? head.number + 1n) - 1n
      return { ...part, from: moments[index] as bigint, blocks: last < first ? undefined : { first, last } }
    }),
    truncated,
  }
}

async function timeOf(queries: Queries, number: bigint): Promise<bigint> {
  const block = await loadNewestBlock(queries, number)
  return block ? decodeStoredHeader(block.header).timestamp : 0n
}

const max = (a: bigint, b: bigint) => (a > b ? a : b)
const min = (a: bigint, b: bigint) => (a < b ? a : b)
const ceilDivide = (a: bigint, b: bigint) => (a + b - 1n) / b
