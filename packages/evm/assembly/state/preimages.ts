// Inputs of KECCAK256 that are 64 bytes long (keys of mappings), collected on request: hash, then input.
import { PREIMAGES, PREIMAGES_END } from '../layout'
import { copy } from '../words/words'

const RECORD: usize = 96

export let collecting: bool = false
export let preimagesEnd: usize = PREIMAGES

export function beginPreimages(collect: bool): void {
  collecting = collect
  preimagesEnd = PREIMAGES
}

/** Keeps an input with its hash; what does not fit is left out. */
export function keepPreimage(hash: usize, input: usize): void {
  if (preimagesEnd + RECORD > PREIMAGES_END) return
  copy(preimagesEnd, hash)
  memory.copy(preimagesEnd + 32, input, 64)
  preimagesEnd += RECORD
}
