// Which functions are overridden: each account points to a list of selectors. Only frames that match leave WebAssembly.
import { Account, findAccount } from './accounts'
import { allocate } from './heap'
import * as host from './host'
import { EXCHANGE } from './layout'
import { fromAddressBytes, toAddressBytes } from './words'

@unmanaged
class Selector {
  next: u32
  /** Its four bytes as they lie in memory. */
  bytes: u32
}

/** The table in force; lists of other generations are stale. 0: no table. */
let generation: u32 = 0

export function setOverrides(generation_: u32): void {
  generation = generation_
}

/** Adds a function: address at EXCHANGE, selector at EXCHANGE + 20. */
export function addOverride(): void {
  fromAddressBytes(EXCHANGE + 64, EXCHANGE)
  const account = findAccount(EXCHANGE + 64)
  const p = allocate(offsetof<Selector>())
  const selector = changetype<Selector>(p)
  selector.next = account.overridesGeneration == generation ? account.overrides : 0
  selector.bytes = load<u32>(EXCHANGE, 20)
  account.overrides = <u32>p
  account.overridesGeneration = generation
}

/** Whether a call of an account with this input is overridden. */
@inline
export function isOverridden(account: Account, input: usize, length: u32): bool {
  return generation != 0 && account.overridesGeneration == generation && length >= 4 && hasSelector(account, load<u32>(input))
}

function hasSelector(account: Account, bytes: u32): bool {
  let p = <usize>account.overrides
  while (p != 0) {
    const selector = changetype<Selector>(p)
    if (selector.bytes == bytes) return true
    p = selector.next
  }
  return false
}

/** Asks the host to replace the return data; answers its length. */
export function overrideOutput(account: Account, input: usize, length: u32, outputLength: u32): u32 {
  toAddressBytes(EXCHANGE, account.address)
  const replaced = host.replaceOutput(input, length, outputLength)
  return replaced < 0 ? outputLength : replaced
}
