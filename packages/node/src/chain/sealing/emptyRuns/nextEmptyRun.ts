import { isDeepStrictEqual } from 'node:util'
import { requireRules } from '@understudy/evm'
import { type BlockRun, laterHeader } from '../../../ethereum/emptyBlocks/blockRun.ts'
import { nextHeader } from '../../../ethereum/emptyBlocks/nextHeader.ts'
import { isRing } from '../../../ethereum/emptyBlocks/systemRings.ts'
import type { Block, Head } from '../../block.ts'
import type { GroupNeeds } from '../blockGroup.ts'
import { findOwnQueues } from '../blockRequests.ts'
import { ringsOf } from '../systemContracts.ts'
import { buildEmptyRun } from './emptyRun.ts'

/** A run has at least this many blocks; fewer are sealed one by one. */
const shortestRun = 1000
/** Blocks of one run, which are committed together: the event loop waits for a commit. */
const longestRun = 50_000

/**
 * The next empty blocks as a run, at most `limit`, each at the clock's time or so long after its parent. `undefined` where
 * blocks must be sealed one by one: prices still move, the clock is ahead, requests wait in a queue, something is observed or
 * configured, or there are too few.
 */
export async function nextEmptyRun(
  head: Head | Block,
  limit: bigint,
  time: { afterParent: bigint } | undefined,
  { state, blockClock, nextBlock, hardforks, observer, systemContracts }: GroupNeeds,
): Promise<BlockRun | undefined> {
  // Until there is a block that no upstream block was the model of, prices continue from that one.
  if (limit < shortestRun || !('transactions' in head) || head.feesFrom) return undefined
  if (blockClock.settings.next !== undefined || observer.observesEmptyBlocks()) return undefined
  const { header, hash: parentHash } = head
  const count = limit < longestRun ? Number(limit) : longestRun
  const interval = blockClock.stepOf(time)
  const timestamp = blockClock.timestampAfter(header.timestamp, { time })
  const last = { number: header.number + BigInt(count), timestamp: header.timestamp + interval * BigInt(count) }
  if (last.timestamp > Number.MAX_SAFE_INTEGER) return undefined
  const rules = hardforks({ number: header.number + 1n, timestamp })
  if (hardforks(header) !== rules || hardforks(last) !== rules || requireRules(rules.fork).accessLists) return undefined
  // A header is a function of the one before: if nothing else changes once, it never does.
  const next = nextBlock.apply(nextHeader(head, timestamp, rules))
  const expected = laterHeader(header, { steps: 1, interval, parentHash, stateRoot: next.stateRoot })
  if (!isDeepStrictEqual(next, expected)) return undefined
  const follows = state.follows()
  if ([...follows.accounts, ...follows.slots.keys()].some(isRing)) return undefined
  if ((await findOwnQueues(state.latest(), rules)).length > 0) return undefined
  return buildEmptyRun(head, state.commitment(), { count, interval, rings: ringsOf(rules.fork, systemContracts) })
}
