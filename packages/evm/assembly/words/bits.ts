// Powers, shifts and bits of words. Functions named after an operation take the stack pointer, as in arithmetic.ts.
import { mul } from './arithmetic'
import { SCRATCH } from '../layout'
import { copy, isSmall, set, setSmall } from './words'

@inline
export function and(to: usize, a: usize, b: usize): void {
  set(
    to,
    load<u64>(a) & load<u64>(b),
    load<u64>(a, 8) & load<u64>(b, 8),
    load<u64>(a, 16) & load<u64>(b, 16),
    load<u64>(a, 24) & load<u64>(b, 24),
  )
}

@inline
function bit(p: usize, index: i32): bool {
  return ((load<u64>(p + ((index >> 6) << 3)) >> (index & 63)) & 1) != 0
}

export function exp(sp: usize): void {
  const base = SCRATCH
  const result = SCRATCH + 32
  const exponent = sp + 32
  copy(base, sp)
  setSmall(result, 1)
  let top = 255
  while (top >= 0 && !bit(exponent, top)) top--
  for (let i = 0; i <= top; i++) {
    if (bit(exponent, i)) mul(result, result, base)
    if (i < top) mul(base, base, base)
  }
  copy(exponent, result)
}

export function signextend(sp: usize): void {
  const index = load<u64>(sp)
  if (!isSmall(sp) || index >= 31) return
  const signBit = <i32>index * 8 + 7
  const limb = signBit >> 6
  const shift = 63 - (signBit & 63)
  const p = sp + 32 + (limb << 3)
  const value = (load<i64>(p) << shift) >> shift
  store<i64>(p, value)
  for (let i = limb + 1; i < 4; i++) store<i64>(sp + 32 + (i << 3), value >> 63)
}

export function byte(sp: usize): void {
  const index = load<u64>(sp)
  setSmall(sp + 32, isSmall(sp) && index < 32 ? <u64>load<u8>(sp + 63 - <usize>index) : 0)
}

/** Shifts the word at `p` to the left by less than 256 bits. */
@inline
export function shiftLeft(p: usize, bits: u64): void {
  const a = load<u64>(p)
  const b = load<u64>(p, 8)
  const c = load<u64>(p, 16)
  const d = load<u64>(p, 24)
  const n = bits & 63
  const m = 63 - n
  // `x >> 1 >> m` is `x >> (64 - n)`, also for n = 0.
  const r0 = a << n
  const r1 = (b << n) | ((a >> 1) >> m)
  switch (<i32>(bits >> 6)) {
    case 0:
      set(p, r0, r1, (c << n) | ((b >> 1) >> m), (d << n) | ((c >> 1) >> m))
      break
    case 1:
      set(p, 0, r0, r1, (c << n) | ((b >> 1) >> m))
      break
    case 2:
      set(p, 0, 0, r0, r1)
      break
    default:
      set(p, 0, 0, 0, r0)
  }
}

/** Shifts the word at `p` to the right by less than 256 bits. */
@inline
export function shiftRight(p: usize, bits: u64): void {
  const a = load<u64>(p)
  const b = load<u64>(p, 8)
  const c = load<u64>(p, 16)
  const d = load<u64>(p, 24)
  const n = bits & 63
  const m = 63 - n
  const r3 = d >> n
  const r2 = (c >> n) | ((d << 1) << m)
  switch (<i32>(bits >> 6)) {
    case 0:
      set(p, (a >> n) | ((b << 1) << m), (b >> n) | ((c << 1) << m), r2, r3)
      break
    case 1:
      set(p, (b >> n) | ((c << 1) << m), r2, r3, 0)
      break
    case 2:
      set(p, r2, r3, 0, 0)
      break
    default:
      set(p, r3, 0, 0, 0)
  }
}

@inline
export function shl(sp: usize): void {
  if (isSmall(sp) && load<u64>(sp) < 256) shiftLeft(sp + 32, load<u64>(sp))
  else setSmall(sp + 32, 0)
}

@inline
export function shr(sp: usize): void {
  if (isSmall(sp) && load<u64>(sp) < 256) shiftRight(sp + 32, load<u64>(sp))
  else setSmall(sp + 32, 0)
}

export function sar(sp: usize): void {
  const p = sp + 32
  const fill = <u64>(load<i64>(p, 24) >> 63)
  const bits = load<u64>(sp)
  if (!isSmall(sp) || bits > 255) {
    set(p, fill, fill, fill, fill)
    return
  }
  copy(SCRATCH, p)
  set(SCRATCH + 32, fill, fill, fill, fill)
  store<u64>(SCRATCH + 64, fill)
  const n = bits & 63
  const from = SCRATCH + ((<usize>bits >> 6) << 3)
  for (let i: usize = 0; i < 32; i += 8) {
    const low = load<u64>(from + i)
    store<u64>(p + i, (low >> n) | ((load<u64>(from + i, 8) << 1) << (63 - n)))
  }
}

/** The number of leading zero bits (EIP-7939). */
export function countLeadingZeros(sp: usize): void {
  let zeros: u64 = 256
  for (let limb = 3; limb >= 0; limb--) {
    const value = load<u64>(sp + (limb << 3))
    if (value != 0) {
      zeros = <u64>((3 - limb) << 6) + clz<u64>(value)
      break
    }
  }
  setSmall(sp, zeros)
}

/** Bits `from` to `from + 63` of the word 2^bits - 1. */
@inline
function maskLimb(bits: u64, from: u64): u64 {
  const above = <i64>(bits - from)
  return above <= 0 ? 0 : above >= 64 ? u64.MAX_VALUE : (<u64>1 << above) - 1
}

/** The word 2^bits - 1, of less than 256 bits. */
@inline
export function setMask(p: usize, bits: u64): void {
  set(p, maskLimb(bits, 0), maskLimb(bits, 64), maskLimb(bits, 128), maskLimb(bits, 192))
}

/** The lowest bits of a word. */
@inline
export function maskTo(to: usize, from: usize, bits: u64): void {
  set(
    to,
    load<u64>(from) & maskLimb(bits, 0),
    load<u64>(from, 8) & maskLimb(bits, 64),
    load<u64>(from, 16) & maskLimb(bits, 128),
    load<u64>(from, 24) & maskLimb(bits, 192),
  )
}
