// The identity precompile, the only one that is not worth leaving WebAssembly for.
import { addExtraWork, COPY_BITS } from '../extraWork'
import { setReturnLength } from '../frames'
import { Price, price, wordsOf } from '../gas'
import { RETURN_DATA } from '../layout'

const IDENTITY: u32 = 4

@inline
export function isPrecompiledIdentity(number: u32): bool {
  return number == IDENTITY
}

/** Answers the gas, or -1 when there is too little. */
export function runIdentity(input: usize, length: u32, gas: i64): i64 {
  const perByte = price(Price.IDENTITY_BYTE) * <i64>length
  const cost = price(Price.IDENTITY_BASE) + price(Price.IDENTITY_WORD) * wordsOf(length) + perByte
  if (cost > gas) return -1
  addExtraWork(length >> COPY_BITS)
  memory.copy(RETURN_DATA, input, length)
  setReturnLength(length)
  return cost
}
