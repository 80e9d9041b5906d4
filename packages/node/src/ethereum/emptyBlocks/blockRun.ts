import type { Word } from '@understudy/evm'
import { bytesFromHex, hexFromBytes } from '../../shared/hex.ts'
import { keccak } from '../../shared/keccak.ts'
import { zeroWord } from '../constants.ts'
import { encodeHeader, type Header } from '../header.ts'
import { rawBlockSize } from '../rawBlock.ts'
import type { RingFields, SystemRings } from './systemRings.ts'

/**
 * Consecutive empty blocks, whose headers differ only in what follows from their place: number, time, parent, state root
 * and randomness.
 */
export type BlockRun = {
  first: Header
  count: number
  /** Seconds from one block to the next. */
  interval: bigint
  /** 32 bytes of each block. */
  hashes: Uint8Array
  /** 32 bytes of each block. */
  stateRoots: Uint8Array
  rings: SystemRings
}

/** The header of an empty block `steps` blocks after another one, if nothing else changes between them. */
export function laterHeader(
  header: Header,
  { steps, interval, parentHash, stateRoot }: { steps: number; interval: bigint; parentHash: Word; stateRoot: Word },
): Header {
  return {
    ...header,
    number: header.number + BigInt(steps),
    timestamp: header.timestamp + BigInt(steps) * interval,
    parentHash,
    stateRoot,
    // Before the merge it is zero; see `nextHeader`.
    mixHash: header.mixHash === zeroWord ? zeroWord : keccak(bytesFromHex(parentHash)),
  }
}

/** What the protocol writes to the rings in a block is of these. */
export function ringFieldsInRun({ first, interval, hashes }: BlockRun, index: number): RingFields {
  return {
    number: first.number + BigInt(index),
    timestamp: first.timestamp + BigInt(index) * interval,
    parentHash: index === 0 ? first.parentHash : wordAt(hashes, index - 1),
    parentBeaconBlockRoot: first.parentBeaconBlockRoot,
  }
}

export function headerInRun({ first, interval, hashes, stateRoots }: BlockRun, index: number): Header {
  if (index === 0) return first
  const parentHash = wordAt(hashes, index - 1)
  return laterHeader(first, { steps: index, interval, parentHash, stateRoot: wordAt(stateRoots, index) })
}

/** `size`: of its RLP, in bytes. */
export type BlockOfRun = { hash: Word; header: Header; size: bigint }

export function blockInRun(run: BlockRun, index: number): BlockOfRun {
  const header = headerInRun(run, index)
  return { hash: wordAt(run.hashes, index), header, size: BigInt(rawBlockSize(header, encodeHeader(header), [])) }
}

export const wordAt = (words: Uint8Array, index: number): Word =>
  hexFromBytes(words.subarray(32 * index, 32 * index + 32))

/** The `count` blocks of a run from `start` on. */
export function partOfRun(run: BlockRun, start: number, count: number): BlockRun {
  const words = (all: Uint8Array) => all.subarray(32 * start, 32 * (start + count))
  return {
    ...run,
    first: headerInRun(run, start),
    count,
    hashes: words(run.hashes),
    stateRoots: words(run.stateRoots),
  }
}
