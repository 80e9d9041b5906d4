import { EXCHANGE, SCRATCH } from '../layout'
import { fromAddressBytes, fromBytes } from '../words/words'

/** A word and a key of a call of the host. */
export const WORD: usize = SCRATCH + 0x3c0
export const KEY: usize = SCRATCH + 0x3e0

/** The address that the host wrote at 0, as a word. */
export function exchangedAddress(): usize {
  fromAddressBytes(WORD, EXCHANGE)
  return WORD
}

/** The word that the host wrote at 32. */
export function exchangedKey(): usize {
  fromBytes(KEY, EXCHANGE + 32)
  return KEY
}
