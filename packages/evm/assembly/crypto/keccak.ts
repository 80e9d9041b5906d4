// Keccak-256. The 25 lanes of the state live in locals through all rounds, which is most of its speed.
import { HASH_CACHE, SCRATCH } from '../layout'
import { copy, fromBytes } from '../words/words'

const STATE: usize = SCRATCH + 0x400
const RATE: usize = 136

const ROUND_CONSTANTS = memory.data<u64>([
  0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b, 0x0000000080000001,
  0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
  0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
  0x000000000000800a, 0x800000008000000a, 0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
])

/** Lane `i` of the state. */
@inline
function lane(i: usize): u64 {
  return load<u64>(STATE + (i << 3))
}

@inline
function setLane(i: usize, value: u64): void {
  store<u64>(STATE + (i << 3), value)
}

/**
 * The permutation Keccak-f[1600]. Lane (x, y) is `a` with the number x + 5y. Lanes 1, 2, 8, 12, 17 and 20 are kept complemented
 * (as the Keccak team's own code does), which saves most negations of chi.
 */
function permute(): void {
  let a0 = lane(0)
  let a1 = ~lane(1)
  let a2 = ~lane(2)
  let a3 = lane(3)
  let a4 = lane(4)
  let a5 = lane(5)
  let a6 = lane(6)
  let a7 = lane(7)
  let a8 = ~lane(8)
  let a9 = lane(9)
  let a10 = lane(10)
  let a11 = lane(11)
  let a12 = ~lane(12)
  let a13 = lane(13)
  let a14 = lane(14)
  let a15 = lane(15)
  let a16 = lane(16)
  let a17 = ~lane(17)
  let a18 = lane(18)
  let a19 = lane(19)
  let a20 = ~lane(20)
  let a21 = lane(21)
  let a22 = lane(22)
  let a23 = lane(23)
  let a24 = lane(24)
  for (let round: usize = 0; round < 24; round++) {
    // theta
    const c0 = a0 ^ a5 ^ a10 ^ a15 ^ a20
    const c1 = a1 ^ a6 ^ a11 ^ a16 ^ a21
    const c2 = a2 ^ a7 ^ a12 ^ a17 ^ a22
    const c3 = a3 ^ a8 ^ a13 ^ a18 ^ a23
    const c4 = a4 ^ a9 ^ a14 ^ a19 ^ a24
    const d0 = c4 ^ rotl<u64>(c1, 1)
    const d1 = c0 ^ rotl<u64>(c2, 1)
    const d2 = c1 ^ rotl<u64>(c3, 1)
    const d3 = c2 ^ rotl<u64>(c4, 1)
    const d4 = c3 ^ rotl<u64>(c0, 1)
    // rho and pi
    const b0 = a0 ^ d0
    const b1 = rotl<u64>(a6 ^ d1, 44)
    const b2 = rotl<u64>(a12 ^ d2, 43)
    const b3 = rotl<u64>(a18 ^ d3, 21)
    const b4 = rotl<u64>(a24 ^ d4, 14)
    const b5 = rotl<u64>(a3 ^ d3, 28)
    const b6 = rotl<u64>(a9 ^ d4, 20)
    const b7 = rotl<u64>(a10 ^ d0, 3)
    const b8 = rotl<u64>(a16 ^ d1, 45)
    const b9 = rotl<u64>(a22 ^ d2, 61)
    const b10 = rotl<u64>(a1 ^ d1, 1)
    const b11 = rotl<u64>(a7 ^ d2, 6)
    const b12 = rotl<u64>(a13 ^ d3, 25)
    const b13 = rotl<u64>(a19 ^ d4, 8)
    const b14 = rotl<u64>(a20 ^ d0, 18)
    const b15 = rotl<u64>(a4 ^ d4, 27)
    const b16 = rotl<u64>(a5 ^ d0, 36)
    const b17 = rotl<u64>(a11 ^ d1, 10)
    const b18 = rotl<u64>(a17 ^ d2, 15)
    const b19 = rotl<u64>(a23 ^ d3, 56)
    const b20 = rotl<u64>(a2 ^ d2, 62)
    const b21 = rotl<u64>(a8 ^ d3, 55)
    const b22 = rotl<u64>(a14 ^ d4, 39)
    const b23 = rotl<u64>(a15 ^ d0, 41)
    const b24 = rotl<u64>(a21 ^ d1, 2)
    // chi and iota
    a0 = b0 ^ (b1 | b2) ^ load<u64>(ROUND_CONSTANTS + (round << 3))
    a1 = b1 ^ (~b2 | b3)
    a2 = b2 ^ (b3 & b4)
    a3 = b3 ^ (b4 | b0)
    a4 = b4 ^ (b0 & b1)
    a5 = b5 ^ (b6 | b7)
    a6 = b6 ^ (b7 & b8)
    a7 = b7 ^ (b8 | ~b9)
    a8 = b8 ^ (b9 | b5)
    a9 = b9 ^ (b5 & b6)
    a10 = b10 ^ (b11 | b12)
    a11 = b11 ^ (b12 & b13)
    a12 = b12 ^ (~b13 & b14)
    a13 = ~b13 ^ (b14 | b10)
    a14 = b14 ^ (b10 & b11)
    a15 = b15 ^ (b16 & b17)
    a16 = b16 ^ (b17 | b18)
    a17 = b17 ^ (~b18 | b19)
    a18 = ~b18 ^ (b19 & b15)
    a19 = b19 ^ (b15 | b16)
    a20 = b20 ^ (~b21 & b22)
    a21 = ~b21 ^ (b22 | b23)
    a22 = b22 ^ (b23 & b24)
    a23 = b23 ^ (b24 | b20)
    a24 = b24 ^ (b20 & b21)
  }
  setLane(0, a0)
  setLane(1, ~a1)
  setLane(2, ~a2)
  setLane(3, a3)
  setLane(4, a4)
  setLane(5, a5)
  setLane(6, a6)
  setLane(7, a7)
  setLane(8, ~a8)
  setLane(9, a9)
  setLane(10, a10)
  setLane(11, a11)
  setLane(12, ~a12)
  setLane(13, a13)
  setLane(14, a14)
  setLane(15, a15)
  setLane(16, a16)
  setLane(17, ~a17)
  setLane(18, a18)
  setLane(19, a19)
  setLane(20, ~a20)
  setLane(21, a21)
  setLane(22, a22)
  setLane(23, a23)
  setLane(24, a24)
}

/** Hashes `length` bytes; the digest becomes the word at `to`. */
export function keccak(from: usize, length: usize, to: usize): void {
  clearState()
  finish(absorb(from, from + length), from + length, to)
}

function clearState(): void {
  for (let i: usize = 0; i < 25; i++) setLane(i, 0)
}

/** Absorbs whole blocks; returns where the rest begins. */
function absorb(from: usize, end: usize): usize {
  while (end - from >= RATE) {
    for (let i: usize = 0; i < RATE; i += 8) store<u64>(STATE + i, load<u64>(STATE + i) ^ load<u64>(from + i))
    permute()
    from += RATE
  }
  return from
}

/** Takes in the last bytes, less than a block. */
function finish(from: usize, end: usize, to: usize): void {
  const length = end - from
  let i: usize = 0
  for (; i + 8 <= length; i += 8) store<u64>(STATE + i, load<u64>(STATE + i) ^ load<u64>(from + i))
  for (; i < length; i++) store<u8>(STATE + i, load<u8>(STATE + i) ^ load<u8>(from + i))
  store<u8>(STATE + length, load<u8>(STATE + length) ^ 1)
  store<u8>(STATE + RATE - 1, load<u8>(STATE + RATE - 1) ^ 0x80)
  permute()
  fromBytes(to, STATE)
}

/** What is longer is hashed in parts of so many bytes, some 1.5 ms each. */
export const PART: usize = 0x40000
/** The end of the parts that were taken in, 0 between two hashes. */
export let absorbed: usize = 0

export function clearAbsorbed(): void {
  absorbed = 0
}

/** Hashes one part more. True with the last: then the digest is the word at `to`. */
export function keccakPart(from: usize, length: usize, to: usize): bool {
  if (absorbed == 0) {
    clearState()
    absorbed = from
  }
  const end = from + length
  if (end - absorbed > PART) {
    absorbed = absorb(absorbed, absorbed + PART)
    return false
  }
  finish(absorb(absorbed, end), end, to)
  absorbed = 0
  return true
}

const CACHE_BITS: u64 = 14
const CACHE_ENTRY: usize = 96

/**
 * Hashes 64 bytes, the form of a mapping's keys. Contracts hash the same keys again and again, so the last hash of each of 16384
 * classes of inputs is remembered with its input.
 */
export function keccakPair(from: usize, to: usize): void {
  const entry = HASH_CACHE + classOf(from) * CACHE_ENTRY
  let difference: u64 = 0
  for (let i: usize = 0; i < 64; i += 8) difference |= load<u64>(entry + i) ^ load<u64>(from + i)
  const isSet = (load<u64>(entry, 64) | load<u64>(entry, 72)) != 0
  if (difference != 0 || !isSet) {
    for (let i: usize = 0; i < 64; i += 8) store<u64>(entry + i, load<u64>(from + i))
    keccak(from, 64, entry + 64)
  }
  copy(to, entry + 64)
}

function classOf(from: usize): usize {
  let h: u64 = 0
  for (let i: usize = 0; i < 64; i += 8) h = (rotl<u64>(h, 23) ^ load<u64>(from + i)) * 0x9e3779b97f4a7c15
  return <usize>(h >> (64 - CACHE_BITS))
}
