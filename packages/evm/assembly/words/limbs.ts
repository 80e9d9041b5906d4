// Products of two 64-bit limbs: WebAssembly multiplies to 64 bits only.

/** The high 64 bits of a product of two limbs. */
@inline
export function mulHigh(a: u64, b: u64): u64 {
  const aLow = a & 0xffffffff
  const aHigh = a >> 32
  const bLow = b & 0xffffffff
  const bHigh = b >> 32
  const t1 = aHigh * bLow + ((aLow * bLow) >> 32)
  const t2 = aLow * bHigh + (t1 & 0xffffffff)
  return aHigh * bHigh + (t1 >> 32) + (t2 >> 32)
}
