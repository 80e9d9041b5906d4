// Division of words by 64-bit limbs. A limb of the quotient is a product with the reciprocal of the divisor's highest limbs (Möller
// and Granlund, "Improved division by invariant integers"), which takes a tenth of the time of dividing.
import { SCRATCH } from '../layout'
import { mulHigh } from './limbs'
import { copy, set, setSmall } from './words'

/** Where `divide` leaves the quotient (as many limbs as the dividend) and the remainder (four limbs). */
export const QUOTIENT: usize = SCRATCH + 0x100
export const REMAINDER: usize = SCRATCH + 0x180
const DIVISOR: usize = SCRATCH + 0x200

@inline
function limb(p: usize, index: i32): u64 {
  return load<u64>(p + (index << 3))
}

/** Divides up to eight limbs by a word that is not zero. */
export function divide(dividend: usize, limbs: i32, divisor: usize): void {
  let n = limbs
  while (n > 0 && limb(dividend, n - 1) == 0) n--
  let d = 4
  while (limb(divisor, d - 1) == 0) d--
  set(QUOTIENT, 0, 0, 0, 0)
  if (n < d) {
    copy(REMAINDER, dividend)
    return
  }
  // The lowest limbs of fixed-point divisors are zero: those of the dividend are then the remainder's.
  let zeros = 0
  while (limb(divisor, zeros) == 0) zeros++
  const lower = <usize>zeros << 3
  n -= zeros
  d -= zeros
  // Shift both so that the divisor's highest limb has its highest bit set.
  const shift = clz(limb(divisor + lower, d - 1))
  if (d == 1) {
    divideByLimb(dividend + lower, n, load<u64>(divisor + lower) << shift, shift)
  } else {
    shiftLimbs(DIVISOR, divisor + lower, d, shift)
    store<u64>(REMAINDER + (n << 3), shiftLimbs(REMAINDER, dividend + lower, n, shift))
    divideByLimbs(n, d)
    unshiftRemainder(d, shift)
  }
  if (zeros != 0) {
    for (let i: usize = 24; i >= lower; i -= 8) store<u64>(REMAINDER + i, load<u64>(REMAINDER + i - lower))
    for (let i: usize = 0; i < lower; i += 8) store<u64>(REMAINDER + i, load<u64>(dividend + i))
  }
}

/** Shifts `count` limbs to the left; returns the overflow. */
function shiftLimbs(to: usize, from: usize, count: i32, shift: u64): u64 {
  const rest = 63 - shift
  let below: u64 = 0
  for (let i = 0; i < count << 3; i += 8) {
    const x = load<u64>(from + i)
    store<u64>(to + i, (x << shift) | ((below >> 1) >> rest))
    below = x
  }
  return (below >> 1) >> rest
}

/** Shifts the remainder of `d` limbs back to the right, and clears the limbs above. */
function unshiftRemainder(d: i32, shift: u64): void {
  const rest = 63 - shift
  store<u64>(REMAINDER + (d << 3), 0)
  for (let i = 0; i < d << 3; i += 8) {
    store<u64>(REMAINDER + i, (load<u64>(REMAINDER + i) >> shift) | ((load<u64>(REMAINDER + i, 8) << 1) << rest))
  }
  for (let i = d; i < 4; i++) store<u64>(REMAINDER + (i << 3), 0)
}

/** (2^128 - 1) / d - 2^64 of a limb whose highest bit is set: three steps of Newton's method, from nine bits on. */
function reciprocal(d: u64): u64 {
  const d40 = (d >> 24) + 1
  const odd = d & 1
  const d63 = (d >> 1) + odd
  const v0 = <u64>(<u32>0x7fd00 / <u32>(d >> 55))
  const v1 = (v0 << 11) - ((v0 * v0 * d40) >> 40) - 1
  const v2 = (v1 << 13) + ((v1 * (0x1000000000000000 - v1 * d40)) >> 47)
  const e = ((v2 >> 1) & (0 - odd)) - v2 * d63
  const v3 = (v2 << 31) + (mulHigh(v2, e) >> 1)
  const low = v3 * d
  return v3 - mulHigh(v3, d) - <u64>(low + d < low) - d
}

/** Divides `n` limbs by `y`, a limb that was shifted to have its highest bit set. */
function divideByLimb(dividend: usize, n: i32, y: u64, shift: u64): void {
  const v = reciprocal(y)
  const back = 63 - shift
  let x = limb(dividend, n - 1)
  let rest = (x >> 1) >> back
  for (let i = (n - 1) << 3; i >= 0; i -= 8) {
    const below = i == 0 ? 0 : load<u64>(dividend + i - 8)
    const next = (x << shift) | ((below >> 1) >> back)
    x = below
    const low = v * rest + next
    let q = mulHigh(v, rest) + rest + <u64>(low < next) + 1
    rest = next - q * y
    if (rest > low) {
      q--
      rest += y
    }
    if (rest >= y) {
      q++
      rest -= y
    }
    store<u64>(QUOTIENT + i, q)
  }
  setSmall(REMAINDER, rest >> shift)
}

/** As `reciprocal`, of two limbs: (2^192 - 1) / (d1, d0) - 2^64. */
function reciprocalOfTwo(d1: u64, d0: u64): u64 {
  let v = reciprocal(d1)
  let p = d1 * v + d0
  if (p < d0) {
    v--
    if (p >= d1) {
      v--
      p -= d1
    }
    p -= d1
  }
  const high = mulHigh(v, d0)
  const low = v * d0
  p += high
  if (p < high) {
    v--
    if (p > d1 || (p == d1 && low >= d0)) v--
  }
  return v
}

/**
 * Divides the `n` limbs and the overflow at REMAINDER by the `d` limbs at DIVISOR, two or more. The remainder stays there, in the
 * lowest `d` limbs.
 */
function divideByLimbs(n: i32, d: i32): void {
  const d1 = limb(DIVISOR, d - 1)
  const d0 = limb(DIVISOR, d - 2)
  const v = reciprocalOfTwo(d1, d0)
  const lower = (d - 2) << 3
  for (let j = (n - d) << 3; j >= 0; j -= 8) {
    const part = REMAINDER + j
    const top = part + lower
    const u2 = load<u64>(top, 16)
    const u1 = load<u64>(top, 8)
    const u0 = load<u64>(top)
    let q: u64
    let r1: u64
    let r0: u64
    const isLargest = u2 == d1 && u1 == d0
    if (isLargest) {
      // The dividend is less than 2^64 divisors, so q is exact. What remains may have a third limb until the lower ones are subtracted.
      q = u64.MAX_VALUE
      r0 = u0 + d0
      r1 = d1 + <u64>(r0 < d0)
    } else {
      // Three limbs by two.
      const low = v * u2 + u1
      q = mulHigh(v, u2) + u2 + <u64>(low < u1)
      const t0 = d0 * q
      const s0 = u0 - t0
      r0 = s0 - d0
      r1 = u1 - q * d1 - mulHigh(d0, q) - <u64>(u0 < t0) - d1 - <u64>(s0 < d0)
      q++
      if (r1 >= low) {
        q--
        r0 += d0
        r1 += d1 + <u64>(r0 < d0)
      }
      if (r1 > d1 || (r1 == d1 && r0 >= d0)) {
        q++
        r1 -= d1 + <u64>(r0 < d0)
        r0 -= d0
      }
    }
    if (lower != 0) {
      let borrow: u64 = 0
      for (let i = 0; i < lower; i += 8) {
        const y = load<u64>(DIVISOR + i)
        const low = q * y
        const t = low + borrow
        const x = load<u64>(part + i)
        store<u64>(part + i, x - t)
        borrow = mulHigh(q, y) + <u64>(t < low) + <u64>(x < t)
      }
      const below = r0 < borrow
      r0 -= borrow
      const isTooHigh = !isLargest && r1 < <u64>below
      r1 -= <u64>below
      if (isTooHigh) {
        q--
        let carry: u64 = 0
        for (let i = 0; i < lower; i += 8) {
          const y = load<u64>(DIVISOR + i)
          const t = load<u64>(part + i) + carry
          const sum = t + y
          carry = <u64>(t < carry) | <u64>(sum < y)
          store<u64>(part + i, sum)
        }
        const t = r0 + carry
        r0 = t + d0
        r1 += d1 + (<u64>(t < carry) | <u64>(r0 < d0))
      }
    }
    store<u64>(top, r0)
    store<u64>(top, r1, 8)
    store<u64>(QUOTIENT + j, q)
  }
}
