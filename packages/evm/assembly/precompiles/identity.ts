// The identity precompile, the only one that is not worth leaving WebAssembly for.
import { addExtraWork, COPY_BITS } from '../extraWork'
import { setReturnLength } from '../frames'
import { wordsOf } from '../gas'
import { RETURN_DATA } from '../layout'

const IDENTITY: u32 = 4
const BASE: i64 = 15
const WORD: i64 = 3

@inline
export function isPrecompiledIdentity(number: u32): bool {
  return number == IDENTITY
}

/** Answers the gas, or -1 when there is too little. */
export function runIdentity(input: usize, length: u32, gas: i64): i64 {
  const cost = BASE + WORD * wordsOf(length)
  if (cost > gas) return -1
  addExtraWork(length >> COPY_BITS)
  memory.copy(RETURN_DATA, input, length)
  setReturnLength(length)
  return cost
}
