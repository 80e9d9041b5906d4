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

/** What happened at an address over time, in parts of one length, oldest first. */
export type Timeline = {
  /** Of a part, in seconds. */
  seconds: number
  /** `from`: when a part begins, in seconds since 1970. */
  parts: (ActivityPart & {
    from: bigint /** `undefined` when none was sealed then. */
    blocks: { first: bigint; last: bigint } | undefined
  })[]
  /** Whether there was more than is counted: only the newest of each kind are. */
  truncated: boolean
}

export type TimelineQuery = {
  /** How much of the time up to the newest block; since the first thing that happened when `undefined`. */
  windowSeconds: bigint | undefined
  /** How many there are at the most. */
  parts: number
}

/** Of calls, transactions and events each so many are counted: the newest. */
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
