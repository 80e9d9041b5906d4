// Which functions are overridden: a filter that knows every one of them, and takes a few others for one (a Bloom filter with two
// bits for each function). Only frames that match leave WebAssembly, and the host has the last word.
import { Account } from './state/accounts'
import { hashWord } from './crypto/hash'
import * as host from './host'
import { EXCHANGE, OVERRIDE_FILTER, OVERRIDE_FILTER_BITS } from './layout'
import { fromAddressBytes, toAddressBytes } from './words/words'

/** Whether the overrides are in force in this run. */
let inForce: bool = false

export function setOverrides(inForce_: bool): void {
  inForce = inForce_
}

export function clearOverrides(): void {
  memory.fill(OVERRIDE_FILTER, 0, (1 << OVERRIDE_FILTER_BITS) / 8)
}

/** Adds a function: address at EXCHANGE, selector at EXCHANGE + 20. */
export function addOverride(): void {
  fromAddressBytes(EXCHANGE + 64, EXCHANGE)
  for (let probe: u64 = 0; probe < 2; probe++) {
    const bit = bitOf(EXCHANGE + 64, load<u32>(EXCHANGE, 20), probe)
    const p = OVERRIDE_FILTER + (bit >> 3)
    store<u8>(p, load<u8>(p) | maskOf(bit))
  }
}

/** Whether a call of an account with this input may be overridden. */
@inline
export function isOverridden(account: Account, input: usize, length: u32): bool {
  return inForce && length >= 4 && isMarked(account.address, load<u32>(input))
}

function isMarked(address: usize, selector: u32): bool {
  for (let probe: u64 = 0; probe < 2; probe++) {
    const bit = bitOf(address, selector, probe)
    if ((load<u8>(OVERRIDE_FILTER + (bit >> 3)) & maskOf(bit)) == 0) return false
  }
  return true
}

/** `selector`: its four bytes as they lie in memory. */
@inline
function bitOf(address: usize, selector: u32, probe: u64): usize {
  return hashWord(address, (probe << 32) | selector, OVERRIDE_FILTER_BITS)
}

@inline
function maskOf(bit: usize): u8 {
  return <u8>((<u32>1) << (<u32>bit & 7))
}

/** Asks the host to replace the return data; answers its length. */
export function overrideOutput(account: Account, input: usize, length: u32, outputLength: u32): u32 {
  toAddressBytes(EXCHANGE, account.address)
  const replaced = host.replaceOutput(input, length, outputLength)
  return replaced < 0 ? outputLength : replaced
}
