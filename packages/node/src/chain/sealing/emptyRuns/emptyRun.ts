import { type Address, keccak256, type StateDiff, type Word } from '@understudy/evm'
import { zeroWord } from '../../../ethereum/constants.ts'
import {
  type BlockOfRun,
  type BlockRun,
  blockInRun,
  laterHeader,
  ringFieldsInRun,
  wordAt,
} from '../../../ethereum/emptyBlocks/blockRun.ts'
import { ringLength, ringWrites, type SystemRings } from '../../../ethereum/emptyBlocks/systemRings.ts'
import { encodeHeader, type Header } from '../../../ethereum/header.ts'
import { giveWay } from '../../../shared/giveWay.ts'
import { bytesFromBigint, bytesFromHex } from '../../../shared/hex.ts'
import type { Change } from '../../../state/change.ts'
import { emptyDiff, encodeChange } from '../../../state/diff.ts'

/** How many of the latest blocks of a run are announced to subscribers and filters. */
export const announcedOfRun = 256n

/** Blocks between two turns of the event loop. */
const blocksAtOnce = 1000

/** Builds the empty blocks after `parent`, each `interval` seconds after the one before. */
export async function buildEmptyRun(
  parent: { hash: Word; header: Header },
  commitment: Word,
  { count, interval, rings }: Pick<BlockRun, 'count' | 'interval' | 'rings'>,
): Promise<BlockRun> {
  const hashes = new Uint8Array(32 * count)
  const stateRoots = new Uint8Array(32 * count)
  const hasRings = rings.beaconRoots || rings.blockHashes
  let template: Template | undefined
  let parentHash = bytesFromHex(parent.hash)
  let stateRoot = bytesFromHex(commitment)
  for (let index = 0; index < count; index++) {
    if (index > 0 && index % blocksAtOnce === 0) await giveWay()
    const number = Number(parent.header.number) + 1 + index
    const timestamp = Number(parent.header.timestamp) + Number(interval) * (index + 1)
    if (!template?.isFor(number, timestamp))
      template = new Template(
        laterHeader(parent.header, {
          steps: index + 1,
          interval,
          parentHash: wordAt(parentHash, 0),
          stateRoot: wordAt(stateRoot, 0),
        }),
        rings,
      )
    if (hasRings) stateRoot = template.nextStateRoot(stateRoot, parentHash, number, timestamp)
    parentHash = template.hash(parentHash, stateRoot, number, timestamp)
    hashes.set(parentHash, 32 * index)
    stateRoots.set(stateRoot, 32 * index)
  }
  const first = laterHeader(parent.header, {
    steps: 1,
    interval,
    parentHash: parent.hash,
    stateRoot: wordAt(stateRoots, 0),
  })
  return { first, count, interval, hashes, stateRoots, rings }
}

/** The newest blocks of a run, oldest first. */
export function lastBlocks(run: BlockRun, count: number): BlockOfRun[] {
  const blocks: BlockOfRun[] = []
  for (let index = Math.max(0, run.count - count); index < run.count; index++) blocks.push(blockInRun(run, index))
  return blocks
}

/**
 * The changes of a run that are left at its end: each slot of a ring is written again after `ringLength` blocks at the
 * latest. They are those of its last blocks.
 */
export function changesLeftBy(run: BlockRun): Change[] {
  const changes: Change[] = []
  const seen = new Set<Word>()
  for (let index = run.count - 1; index >= Math.max(0, run.count - Number(ringLength)); index--) {
    const slots = new Map<Address, Map<Word, bigint>>()
    for (const [address, values] of ringWrites(ringFieldsInRun(run, index), run.rings)) {
      const left = new Map<Word, bigint>()
      for (const [slot, value] of values) {
        const key = `${address}${slot.slice(2)}` as Word
        if (seen.has(key)) continue
        seen.add(key)
        left.set(slot, value)
      }
      if (left.size > 0) slots.set(address, left)
    }
    changes.push({ diff: { ...emptyDiff(), slots }, commitment: wordAt(run.stateRoots, index) })
  }
  return changes.reverse()
}

/**
 * Hashes the blocks of a run whose numbers and timestamps have the same length in bytes. What a hash is of is encoded once,
 * and what differs from block to block is written into that: encoding each block takes longer than hashing it.
 */
class Template {
  readonly #first: Header
  readonly #rings: SystemRings
  readonly #header: Places<'parentHash' | 'stateRoot' | 'mixHash' | 'number' | 'timestamp'>
  readonly #change: ChangePlaces | undefined
  readonly #ends: { number: number; timestamp: number }

  constructor(first: Header, rings: SystemRings) {
    this.#first = first
    this.#rings = rings
    this.#ends = { number: endOfLength(first.number), timestamp: endOfLength(first.timestamp) }
    const bytes = encodeHeader(first)
    const placeOf = (change: Partial<Header>) => firstDifference(bytes, encodeHeader({ ...first, ...change }))
    this.#header = {
      bytes,
      parentHash: placeOf({ parentHash: otherWord(first.parentHash) }),
      stateRoot: placeOf({ stateRoot: otherWord(first.stateRoot) }),
      mixHash: placeOf({ mixHash: otherWord(first.mixHash) }),
      // Numbers end where their lowest bit is.
      number: placeOf({ number: first.number ^ 1n }) + 1,
      timestamp: placeOf({ timestamp: first.timestamp ^ 1n }) + 1,
    }
    this.#change = this.#placesOfChange()
  }

  isFor(number: number, timestamp: number): boolean {
    return number < this.#ends.number && timestamp < this.#ends.timestamp
  }

  hash(parentHash: Uint8Array, stateRoot: Uint8Array, number: number, timestamp: number): Uint8Array {
    const { bytes, ...places } = this.#header
    bytes.set(parentHash, places.parentHash)
    bytes.set(stateRoot, places.stateRoot)
    if (this.#first.mixHash !== zeroWord) bytes.set(keccak256(parentHash), places.mixHash)
    writeNumber(number, bytes, places.number)
    writeNumber(timestamp, bytes, places.timestamp)
    return keccak256(bytes)
  }

  /** The commitment after the block's writes to the rings. */
  nextStateRoot(stateRoot: Uint8Array, parentHash: Uint8Array, number: number, timestamp: number): Uint8Array {
    // The encoding of a hash that begins with a zero is shorter.
    if (!this.#change || parentHash[0] === 0) {
      const header = { number: BigInt(number), timestamp: BigInt(timestamp), parentHash: wordAt(parentHash, 0) }
      return keccak256(encodeChange(wordAt(stateRoot, 0), this.#diffOf({ ...this.#first, ...header })))
    }
    return keccak256(this.#writtenChange(this.#change, stateRoot, parentHash, number, timestamp))
  }

  #writtenChange(
    { bytes, ...places }: ChangePlaces,
    stateRoot: Uint8Array,
    parentHash: Uint8Array,
    number: number,
    timestamp: number,
  ): Uint8Array {
    bytes.set(stateRoot, places.stateRoot)
    if (this.#rings.blockHashes) {
      bytes.set(parentHash, places.parentHash)
      writeSlot((number - 1) % slotsOfRing, bytes, places.hashSlot)
    }
    if (this.#rings.beaconRoots) {
      writeSlot(timestamp % slotsOfRing, bytes, places.timeSlot)
      writeNumber(timestamp, bytes, places.timestamp)
      writeSlot((timestamp % slotsOfRing) + slotsOfRing, bytes, places.rootSlot)
    }
    return bytes
  }

  /** `undefined` where the encoding is another than what is written into it. */
  #placesOfChange(): ChangePlaces | undefined {
    const stateRoot = `0x${'11'.repeat(32)}` as const
    const start = {
      ...this.#first,
      number: 2n,
      timestamp: this.#first.timestamp - (this.#first.timestamp % ringLength),
      parentHash: `0x${'22'.repeat(32)}` as const,
    }
    const bytes = encodeChange(stateRoot, this.#diffOf(start))
    const placeOf = (change: Partial<Header>, root: Word = stateRoot) =>
      firstDifference(bytes, encodeChange(root, this.#diffOf({ ...start, ...change })))
    const timeSlot = placeOf({ timestamp: start.timestamp + 1n }) + 1
    // The timestamp follows its slot, and the slot of the root follows in a list of its own: each has one byte before it.
    const timestamp = timeSlot + 1 + bytesFromBigint(start.timestamp).length
    const places = {
      bytes,
      stateRoot: placeOf({}, otherWord(stateRoot)),
      parentHash: placeOf({ parentHash: otherWord(start.parentHash) }),
      hashSlot: placeOf({ number: 1n }) + 1,
      timeSlot,
      timestamp,
      rootSlot: timestamp + 2 + 32,
    }
    const { number } = this.#first
    const written = this.#writtenChange(
      places,
      bytesFromHex(stateRoot),
      bytesFromHex(start.parentHash),
      Number(number),
      Number(this.#first.timestamp),
    )
    const expected = encodeChange(stateRoot, this.#diffOf({ ...this.#first, parentHash: start.parentHash }))
    return Buffer.compare(written, expected) === 0 ? places : undefined
  }

  #diffOf(header: Header): StateDiff {
    return { ...emptyDiff(), slots: ringWrites(header, this.#rings) }
  }
}

/** An encoding, and where in it something begins, or where a number ends. */
type Places<Name extends string> = { bytes: Uint8Array } & Record<Name, number>
type ChangePlaces = Places<'stateRoot' | 'parentHash' | 'hashSlot' | 'timeSlot' | 'timestamp' | 'rootSlot'>

const slotsOfRing = Number(ringLength)

/** The lowest greater number whose RLP is longer. */
function endOfLength(value: bigint): number {
  return value < 0x80n ? 0x80 : 256 ** bytesFromBigint(value).length
}

const otherWord = (word: Word): Word => `0x${word[2] === '1' ? '2' : '1'}${word.slice(3)}`

function firstDifference(a: Uint8Array, b: Uint8Array): number {
  return a.findIndex((byte, index) => byte !== b[index])
}

/** Writes a number of which all bytes have a place, before `end`. */
function writeNumber(value: number, bytes: Uint8Array, end: number): void {
  for (let rest = value, at = end - 1; rest > 0; rest = Math.floor(rest / 256)) bytes[at--] = rest % 256
}

/** Writes the lowest two bytes of a slot, before `end`. */
function writeSlot(slot: number, bytes: Uint8Array, end: number): void {
  bytes[end - 1] = slot & 0xff
  bytes[end - 2] = slot >> 8
}
