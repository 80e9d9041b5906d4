// 256-bit words: four 64-bit limbs in memory, least significant first.

@inline
export function set(p: usize, a: u64, b: u64, c: u64, d: u64): void {
  store<u64>(p, a)
  store<u64>(p, b, 8)
  store<u64>(p, c, 16)
  store<u64>(p, d, 24)
}

@inline
export function setSmall(p: usize, value: u64): void {
  set(p, value, 0, 0, 0)
}

@inline
export function copy(to: usize, from: usize): void {
  const a = load<u64>(from)
  const b = load<u64>(from, 8)
  const c = load<u64>(from, 16)
  const d = load<u64>(from, 24)
  set(to, a, b, c, d)
}

/** True when the word needs no more than its lowest limb. */
@inline
export function isSmall(p: usize): bool {
  return (load<u64>(p, 8) | load<u64>(p, 16) | load<u64>(p, 24)) == 0
}

@inline
export function isZero(p: usize): bool {
  return (load<u64>(p) | load<u64>(p, 8) | load<u64>(p, 16) | load<u64>(p, 24)) == 0
}

@inline
export function equal(p: usize, q: usize): bool {
  return (
    ((load<u64>(p) ^ load<u64>(q)) |
      (load<u64>(p, 8) ^ load<u64>(q, 8)) |
      (load<u64>(p, 16) ^ load<u64>(q, 16)) |
      (load<u64>(p, 24) ^ load<u64>(q, 24))) ==
    0
  )
}

@inline
export function less(p: usize, q: usize): bool {
  const isShort =
    (load<u64>(p, 8) | load<u64>(p, 16) | load<u64>(p, 24) | load<u64>(q, 8) | load<u64>(q, 16) | load<u64>(q, 24)) == 0
  return isShort ? load<u64>(p) < load<u64>(q) : lessLong(p, q)
}

function lessLong(p: usize, q: usize): bool {
  let a = load<u64>(p, 24)
  let b = load<u64>(q, 24)
  if (a != b) return a < b
  a = load<u64>(p, 16)
  b = load<u64>(q, 16)
  if (a != b) return a < b
  a = load<u64>(p, 8)
  b = load<u64>(q, 8)
  if (a != b) return a < b
  return load<u64>(p) < load<u64>(q)
}

export function signedLess(p: usize, q: usize): bool {
  const a = load<i64>(p, 24)
  const b = load<i64>(q, 24)
  return a != b ? a < b : less(p, q)
}

/** The number of bytes that the word needs without leading zeros. */
export function byteLength(p: usize): i32 {
  for (let limb = 3; limb >= 0; limb--) {
    const value = load<u64>(p + (limb << 3))
    if (value != 0) return (limb << 3) + 8 - <i32>(clz<u64>(value) >> 3)
  }
  return 0
}

/** Reads 32 big-endian bytes. One shuffle reverses 16 bytes. */
@inline
export function fromBytes(to: usize, from: usize): void {
  const high = v128.load(from)
  const low = v128.load(from, 16)
  v128.store(to, i8x16.shuffle(low, low, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0))
  v128.store(to, i8x16.shuffle(high, high, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), 16)
}

/** Writes 32 big-endian bytes. The word is read in the halves in which it was written: a wider read would wait for them. */
@inline
export function toBytes(to: usize, from: usize): void {
  const high = i64x2.replace_lane(i64x2.splat(load<i64>(from, 24)), 1, load<i64>(from, 16))
  const low = i64x2.replace_lane(i64x2.splat(load<i64>(from, 8)), 1, load<i64>(from))
  v128.store(to, i8x16.shuffle(high, high, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8))
  v128.store(to, i8x16.shuffle(low, low, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8), 16)
}

/** Reads the 20 bytes of an address. */
export function fromAddressBytes(to: usize, from: usize): void {
  set(
    to,
    bswap<u64>(load<u64>(from, 12)),
    bswap<u64>(load<u64>(from, 4)),
    <u64>bswap<u32>(load<u32>(from)),
    0,
  )
}

/** Writes the 20 bytes of an address: the low 160 bits of the word. */
export function toAddressBytes(to: usize, from: usize): void {
  store<u32>(to, bswap<u32>(<u32>load<u64>(from, 16)))
  store<u64>(to, bswap<u64>(load<u64>(from, 8)), 4)
  store<u64>(to, bswap<u64>(load<u64>(from)), 12)
}

/** Clears all but the low 160 bits. */
@inline
export function truncateToAddress(p: usize): void {
  store<u64>(p, load<u64>(p, 16) & 0xffffffff, 16)
  store<u64>(p, 0, 24)
}

/** Swaps two words. */
@inline
export function exchange(p: usize, q: usize): void {
  const a = load<u64>(p)
  const b = load<u64>(p, 8)
  const c = load<u64>(p, 16)
  const d = load<u64>(p, 24)
  copy(p, q)
  set(q, a, b, c, d)
}
