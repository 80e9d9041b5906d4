import { isDeepStrictEqual } from 'node:util'
import { keccak256, requireRules } from '@understudy/evm'
import { zeroWord } from '../../ethereum/constants.ts'
import { encodeHeader, type Header } from '../../ethereum/header.ts'
import { nextHeader } from '../../ethereum/nextHeader.ts'
import { isRing } from '../../ethereum/systemRings.ts'
import { bytesFromBigint, bytesFromHex, hexFromBytes } from '../../shared/hex.ts'
import type { Logger } from '../../shared/logger.ts'
import { yieldToEventLoop } from '../../shared/yieldToEventLoop.ts'
import type { State } from '../../state/state.ts'
import type { Queries } from '../../storage/database.ts'
import { addBlockRun, announcedOfRun, blockIn, countOf, laterHeader } from '../../storage/records/chain/blockRuns.ts'
import { blockClockKey, saveSetting } from '../../storage/records/settings.ts'
import type { Block, BuiltBlock, Head } from '../block.ts'
import { ringsOf } from '../run/systemContracts.ts'
import type { GroupNeeds } from './blockGroup.ts'
import { findOwnQueues } from './blockRequests.ts'

/** A run has at least this many blocks; fewer are sealed one by one. */
const shortestRun = 1000
/** A run ends after this many blocks if another change of the network waits. */
const sharedRun = 50_000
/** Blocks of one run, which are committed together: the head shows how far a long request is. */
const longestRun = 400_000
/** Blocks between two turns of the event loop. */
const blocksAtOnce = 1000

type Needs = GroupNeeds & {
  state: State
  /** Called in the moment in which the last block is the head. */
  shown(head: Block): void
  /** Called when blocks are durable, oldest first. */
  onSealed(blocks: BuiltBlock[]): void
  logger: Logger
}

/** What the blocks of a run have in common, and their number at most. */
type Plan = { header: Header; count: number; interval: bigint }

/**
 * Seals the next empty blocks together, at most `limit`, each at the clock's time or so long after its parent, and
 * announces the newest of them. Returns how many there are: none where blocks must be sealed one by one.
 */
export async function sealEmptyRun(
  head: Head | Block,
  limit: bigint,
  time: { afterParent: bigint } | undefined,
  needs: Needs,
): Promise<bigint> {
  const plan = await planRun(head, limit, time, needs)
  if (!plan) return 0n
  const { state, observer, blockClock, hardforks, systemContracts, shown, onSealed, logger } = needs
  const { header, count, interval } = plan
  const hashes = await hashRun(header, { count, interval, isAwaited: state.isAwaited })
  const { base } = head
  const observation = observer.begin(state.latest())
  observation.changed(undefined)
  const run = {
    first: header,
    firstSeq: state.seq() + 1,
    interval,
    hashes,
    rings: ringsOf(hardforks(header).fork, systemContracts),
    baseNumber: base.number,
    baseHash: base.hash,
    live: state.live(),
  }
  const blocks: BuiltBlock[] = []
  for (let index = Math.max(0, countOf(run) - announcedOfRun); index < countOf(run); index++) {
    const { hash, header, live, size } = blockIn(run, index)
    blocks.push({ block: { hash, header, base, live, transactions: [], size }, receipts: [], accessList: undefined })
  }
  const { block } = blocks.at(-1) as BuiltBlock
  const startedAt = blockClock.settings
  blockClock.sealed(block.header.timestamp, time)
  try {
    await state.commit([], {
      base,
      stored: countOf(run),
      async save(queries: Queries) {
        await addBlockRun(queries, run)
        if (time) await saveSetting(queries, blockClockKey, blockClock.settings)
      },
      shown: () => shown(block),
    })
  } catch (error) {
    blockClock.restore(startedAt)
    throw error
  }
  observation.committed(state.latest())
  onSealed(blocks)
  logger.debug({ from: header.number, blocks: countOf(run) }, 'Sealed empty blocks')
  return BigInt(countOf(run))
}

/** `undefined` where prices still move, the clock is ahead, requests wait in a queue, something is observed or configured, or there are too few. */
async function planRun(
  head: Head | Block,
  limit: bigint,
  time: { afterParent: bigint } | undefined,
  { state, blockClock, nextBlock, hardforks, observer }: Needs,
): Promise<Plan | undefined> {
  // Until there is a block that no upstream block was the model of, prices continue from that one.
  if (limit < shortestRun || !('transactions' in head) || head.feesFrom) return undefined
  if (blockClock.settings.next !== undefined || observer.observesEmptyBlocks()) return undefined
  const interval = blockClock.stepOf(time)
  const timestamp = blockClock.timestampAfter(head.header.timestamp, { time })
  const rules = hardforks({ number: head.header.number + 1n, timestamp })
  if (hardforks(head.header) !== rules || requireRules(rules.fork).accessLists) return undefined
  const isOfRules = (count: number) => {
    const { number, timestamp } = laterHeader(head.header, count, interval, head.hash)
    return timestamp <= Number.MAX_SAFE_INTEGER && hardforks({ number, timestamp }) === rules
  }
  let count = limit < longestRun ? Number(limit) : longestRun
  while (!isOfRules(count)) count = Math.floor(count / 2)
  if (count < shortestRun) return undefined
  // A header is a function of the one before: if nothing else changes once, it never does.
  const header = { ...nextBlock.apply(nextHeader(head, timestamp, rules)), stateRoot: state.commitment() }
  const { stateRoot } = header
  if (!isDeepStrictEqual(header, { ...laterHeader(head.header, 1, interval, head.hash), stateRoot })) return undefined
  const follows = state.follows()
  if ([...follows.accounts, ...follows.slots.keys()].some(isRing)) return undefined
  if ((await findOwnQueues(state.latest(), rules)).length > 0) return undefined
  return { header, count, interval }
}

/** The hashes of `count` blocks, 32 bytes each, or of fewer if others wait. */
async function hashRun(
  first: Header,
  { count, interval, isAwaited }: { count: number; interval: bigint; isAwaited(): boolean },
): Promise<Uint8Array> {
  const hashes = new Uint8Array(32 * count)
  let number = Number(first.number)
  let timestamp = Number(first.timestamp)
  let parentHash = bytesFromHex(first.parentHash)
  let encoded: EncodedHeader | undefined
  for (let index = 0; index < count; index++) {
    if (index > 0 && index % blocksAtOnce === 0) {
      await yieldToEventLoop()
      if (index >= sharedRun && isAwaited()) return hashes.subarray(0, 32 * index)
    }
    if (!encoded?.fits(number, timestamp))
      encoded = new EncodedHeader({ ...first, number: BigInt(number), timestamp: BigInt(timestamp) })
    parentHash = encoded.hashOf(parentHash, number, timestamp)
    hashes.set(parentHash, 32 * index)
    number++
    timestamp += Number(interval)
  }
  return hashes
}

/**
 * The encoding of a header, in which number, time and parent are replaced while they keep their length: encoding each
 * header takes longer than hashing it.
 */
class EncodedHeader {
  readonly #bytes: Uint8Array
  readonly #parentHash: Uint8Array
  /** `undefined` before the merge, where it is zero. */
  readonly #randomness: Uint8Array | undefined
  /** Where the numbers end. */
  readonly #ends: { number: number; timestamp: number }
  /** The lowest greater numbers that are longer. */
  readonly #limits: { number: number; timestamp: number }
  /** The result, which the next one overwrites. */
  readonly #hash = new Uint8Array(32)

  constructor(header: Header) {
    this.#bytes = encodeHeader(header)
    const offsetOf = (change: Partial<Header>) => firstDifference(this.#bytes, encodeHeader({ ...header, ...change }))
    const wordAt = (offset: number) => this.#bytes.subarray(offset, offset + 32)
    this.#parentHash = wordAt(offsetOf({ parentHash: otherWord(header.parentHash) }))
    if (header.mixHash !== zeroWord) this.#randomness = wordAt(offsetOf({ mixHash: otherWord(header.mixHash) }))
    const { number, timestamp } = header
    // Numbers end where their lowest bit is.
    this.#ends = {
      number: offsetOf({ number: number ^ 1n }) + 1,
      timestamp: offsetOf({ timestamp: timestamp ^ 1n }) + 1,
    }
    this.#limits = { number: firstLonger(number), timestamp: firstLonger(timestamp) }
  }

  fits(number: number, timestamp: number): boolean {
    return number < this.#limits.number && timestamp < this.#limits.timestamp
  }

  hashOf(parentHash: Uint8Array, number: number, timestamp: number): Uint8Array {
    if (this.#randomness) keccak256(parentHash, this.#randomness)
    this.#parentHash.set(parentHash)
    this.#write(number, this.#ends.number)
    this.#write(timestamp, this.#ends.timestamp)
    return keccak256(this.#bytes, this.#hash)
  }

  #write(value: number, end: number): void {
    let at = end - 1
    let rest = value
    // Bitwise operations take 32 bits.
    for (; rest > 0xffff_ffff; rest = Math.floor(rest / 256)) this.#bytes[at--] = rest % 256
    for (; rest > 0; rest >>>= 8) this.#bytes[at--] = rest & 0xff
  }
}

/** The lowest greater number whose RLP is longer. */
const firstLonger = (value: bigint) => (value < 0x80n ? 0x80 : 256 ** bytesFromBigint(value).length)

function otherWord(word: Header['mixHash']): Header['mixHash'] {
  const bytes = bytesFromHex(word)
  bytes[0] = (bytes[0] ?? 0) ^ 1
  return hexFromBytes(bytes)
}

function firstDifference(a: Uint8Array, b: Uint8Array): number {
  return a.findIndex((byte, index) => byte !== b[index])
}
