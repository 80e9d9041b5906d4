// Arithmetic on words. Functions named after an operation take the stack pointer: the first operand is the word at `sp`, the
// second the one above it in memory, and the result replaces the last operand.
import { SCRATCH } from '../layout'
import { divide, QUOTIENT, REMAINDER } from './division'
import { mulHigh } from './limbs'
import { copy, isSmall, isZero, set, setSmall } from './words'

@inline
export function add(to: usize, a: usize, b: usize): void {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const r0 = a0 + load<u64>(b)
  let carry = <u64>(r0 < a0)
  const t1 = a1 + load<u64>(b, 8)
  const r1 = t1 + carry
  carry = <u64>(t1 < a1) | <u64>(r1 < t1)
  const t2 = a2 + load<u64>(b, 16)
  const r2 = t2 + carry
  carry = <u64>(t2 < a2) | <u64>(r2 < t2)
  set(to, r0, r1, r2, load<u64>(a, 24) + load<u64>(b, 24) + carry)
}

@inline
export function sub(sp: usize): void {
  const a0 = load<u64>(sp)
  const a1 = load<u64>(sp, 8)
  const a2 = load<u64>(sp, 16)
  const b0 = load<u64>(sp, 32)
  const b1 = load<u64>(sp, 40)
  const b2 = load<u64>(sp, 48)
  let borrow = <u64>(a0 < b0)
  const t1 = a1 - b1
  const r1 = t1 - borrow
  borrow = <u64>(a1 < b1) | <u64>(t1 < borrow)
  const t2 = a2 - b2
  const r2 = t2 - borrow
  borrow = <u64>(a2 < b2) | <u64>(t2 < borrow)
  set(sp + 32, a0 - b0, r1, r2, load<u64>(sp, 24) - load<u64>(sp, 56) - borrow)
}

/** Adds a number of one limb to a word, which becomes the sum. */
@inline
export function addSmall(p: usize, value: u64): void {
  const r0 = load<u64>(p) + value
  store<u64>(p, r0)
  if (r0 < value) {
    const r1 = load<u64>(p, 8) + 1
    store<u64>(p, r1, 8)
    if (r1 == 0) {
      const r2 = load<u64>(p, 16) + 1
      store<u64>(p, r2, 16)
      if (r2 == 0) store<u64>(p, load<u64>(p, 24) + 1, 24)
    }
  }
}

/** `to += from`, without a check for overflow. */
export function addTo(to: usize, from: usize): void {
  let carry: u64 = 0
  for (let i: usize = 0; i < 32; i += 8) {
    const a = load<u64>(to + i)
    const t = a + load<u64>(from + i)
    const r = t + carry
    carry = <u64>(t < a) | <u64>(r < t)
    store<u64>(to + i, r)
  }
}

/** `to -= from`, without a check for underflow. */
export function subFrom(to: usize, from: usize): void {
  let borrow: u64 = 0
  for (let i: usize = 0; i < 32; i += 8) {
    const a = load<u64>(to + i)
    const b = load<u64>(from + i)
    const t = a - b
    const r = t - borrow
    borrow = <u64>(a < b) | <u64>(t < borrow)
    store<u64>(to + i, r)
  }
}

/** Word times limb. Most factors in contracts have one limb. */
function mulByLimb(to: usize, a: usize, b: u64): void {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const a3 = load<u64>(a, 24)
  const high0 = mulHigh(a0, b)
  if ((a1 | a2 | a3) == 0) {
    set(to, a0 * b, high0, 0, 0)
    return
  }
  const low1 = a1 * b
  const r1 = low1 + high0
  const carry = <u64>(r1 < low1)
  const low2 = a2 * b
  const t2 = low2 + mulHigh(a1, b)
  const r2 = t2 + carry
  set(to, a0 * b, r1, r2, a3 * b + mulHigh(a2, b) + (<u64>(t2 < low2) | <u64>(r2 < t2)))
}

export function mul(to: usize, a: usize, b: usize): void {
  if (isSmall(b)) return mulByLimb(to, a, load<u64>(b))
  if (isSmall(a)) return mulByLimb(to, b, load<u64>(a))
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const a3 = load<u64>(a, 24)
  const b0 = load<u64>(b)
  const b1 = load<u64>(b, 8)
  const b2 = load<u64>(b, 16)
  const b3 = load<u64>(b, 24)
  // Column by column; what leaves the fourth is lost.
  const r0 = a0 * b0
  let r1 = mulHigh(a0, b0)
  let low = a0 * b1
  r1 += low
  let carry = <u64>(r1 < low)
  let r2 = mulHigh(a0, b1) + carry
  low = a1 * b0
  r1 += low
  carry = <u64>(r1 < low)
  const high = mulHigh(a1, b0) + carry
  r2 += high
  let r3 = <u64>(r2 < high)
  low = a0 * b2
  r2 += low
  r3 += <u64>(r2 < low) + mulHigh(a0, b2)
  low = a1 * b1
  r2 += low
  r3 += <u64>(r2 < low) + mulHigh(a1, b1)
  low = a2 * b0
  r2 += low
  r3 += <u64>(r2 < low) + mulHigh(a2, b0)
  r3 += a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0
  set(to, r0, r1, r2, r3)
}

/** The full product, eight limbs. The sums of the limbs that are not final yet stay in locals. */
function mulFull(to: usize, a: usize, b: usize): void {
  const b0 = load<u64>(b)
  const b1 = load<u64>(b, 8)
  const b2 = load<u64>(b, 16)
  const b3 = load<u64>(b, 24)
  let s0: u64 = 0
  let s1: u64 = 0
  let s2: u64 = 0
  let s3: u64 = 0
  for (let i: usize = 0; i < 32; i += 8) {
    const x = load<u64>(a + i)
    let low = x * b0
    const r0 = s0 + low
    let carry = mulHigh(x, b0) + <u64>(r0 < low)
    low = x * b1
    let t = s1 + low
    s0 = t + carry
    carry = mulHigh(x, b1) + <u64>(t < low) + <u64>(s0 < t)
    low = x * b2
    t = s2 + low
    s1 = t + carry
    carry = mulHigh(x, b2) + <u64>(t < low) + <u64>(s1 < t)
    low = x * b3
    t = s3 + low
    s2 = t + carry
    s3 = mulHigh(x, b3) + <u64>(t < low) + <u64>(s2 < t)
    store<u64>(to + i, r0)
  }
  set(to + 32, s0, s1, s2, s3)
}

export function negate(p: usize): void {
  let carry: u64 = 1
  for (let i: usize = 0; i < 32; i += 8) {
    const x = ~load<u64>(p + i) + carry
    carry = <u64>(carry != 0 && x == 0)
    store<u64>(p + i, x)
  }
}

@inline
function isNegative(p: usize): bool {
  return load<i64>(p, 24) < 0
}

export function div(sp: usize): void {
  const b = sp + 32
  if (isSmall(sp) && isSmall(b)) {
    const y = load<u64>(b)
    if (y != 0) store<u64>(b, load<u64>(sp) / y)
    return
  }
  if (isZero(b)) return
  divide(sp, 4, b)
  copy(b, QUOTIENT)
}

export function mod(sp: usize): void {
  const b = sp + 32
  if (isSmall(sp) && isSmall(b)) {
    const y = load<u64>(b)
    if (y != 0) store<u64>(b, load<u64>(sp) % y)
    return
  }
  if (isZero(b)) return
  divide(sp, 4, b)
  copy(b, REMAINDER)
}

export function sdiv(sp: usize): void {
  const b = sp + 32
  if (isZero(b)) return
  const negative = isNegative(sp) != isNegative(b)
  if (isNegative(sp)) negate(sp)
  if (isNegative(b)) negate(b)
  divide(sp, 4, b)
  copy(b, QUOTIENT)
  if (negative) negate(b)
}

export function smod(sp: usize): void {
  const b = sp + 32
  if (isZero(b)) return
  const negative = isNegative(sp)
  if (negative) negate(sp)
  if (isNegative(b)) negate(b)
  divide(sp, 4, b)
  copy(b, REMAINDER)
  if (negative) negate(b)
}

export function addmod(sp: usize): void {
  const m = sp + 64
  if (isZero(m)) return
  let carry: u64 = 0
  for (let i: usize = 0; i < 32; i += 8) {
    const a = load<u64>(sp + i)
    const t = a + load<u64>(sp + i, 32)
    const r = t + carry
    carry = <u64>(t < a) | <u64>(r < t)
    store<u64>(SCRATCH + i, r)
  }
  store<u64>(SCRATCH, carry, 32)
  divide(SCRATCH, 5, m)
  copy(m, REMAINDER)
}

@inline
function isMax(p: usize): bool {
  return (load<u64>(p) & load<u64>(p, 8) & load<u64>(p, 16) & load<u64>(p, 24)) == u64.MAX_VALUE
}

export function mulmod(sp: usize): void {
  const m = sp + 64
  if (isZero(m)) return
  mulFull(SCRATCH, sp, sp + 32)
  if (isMax(m)) {
    // Solidity's full-precision multiplication uses the remainder by 2^256 - 1: the sum of both halves, plus the carry.
    let carry: u64 = 0
    for (let i: usize = 0; i < 32; i += 8) {
      const a = load<u64>(SCRATCH + i)
      const t = a + load<u64>(SCRATCH + i, 32)
      const r = t + carry
      carry = <u64>(t < a) | <u64>(r < t)
      store<u64>(m + i, r)
    }
    addSmall(m, carry)
    if (isMax(m)) setSmall(m, 0)
    return
  }
  divide(SCRATCH, 8, m)
  copy(m, REMAINDER)
}
