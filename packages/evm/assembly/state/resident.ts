// Keeping the resident state up to date when the state itself moved on.

import { exchangedAddress, exchangedKey } from './exchange'
import { EXCHANGE, RETURN_DATA } from '../layout'
import { copy, fromBytes } from '../words/words'
import { Account, emptyStorage, findAccount, isFresh, renameStorage, State, useView } from './accounts'
import { hashOf, internCode } from './codes'
import { clearJournal } from './journal'
import { findSlot } from './slots'

/** Names the view that the functions below change. */
export function openView(view: u32): void {
  useView(view)
}

/** The resident account of an address, or 0 when it is not loaded. */
export function residentAccount(): usize {
  const account = findAccount(exchangedAddress())
  return account.state == State.KNOWN ? changetype<usize>(account) : 0
}

/** Sets the balance to the word at 32. */
export function putBalance(p: usize): void {
  copy(changetype<Account>(p).balance, exchangedKey())
}

export function putNonce(p: usize, nonce: u64): void {
  changetype<Account>(p).nonce = nonce
}

/** Sets the code to what was written at RETURN_DATA. */
export function putCode(p: usize, length: u32): void {
  const account = changetype<Account>(p)
  const code = internCode(RETURN_DATA, length)
  copy(account.codeHash, hashOf(code))
  account.code = <u32>changetype<usize>(code)
}

/** Empties the storage of the account at 0. */
export function clearStorage(): void {
  clearJournal()
  emptyStorage(findAccount(exchangedAddress()))
  clearJournal()
}

/** Sets the slot at 32 of the account at 0 to the word at 64. */
export function putSlot(): void {
  const slot = findSlot(findAccount(exchangedAddress()), exchangedKey())
  fromBytes(slot.value, EXCHANGE + 64)
  slot.state = State.KNOWN
}

/** The account at 0 is asked for again. */
export function forgetAccount(): void {
  findAccount(exchangedAddress()).state = State.UNKNOWN
}

/** All slots of the account at 0 are asked for again. */
export function forgetStorage(): void {
  renameStorage(findAccount(exchangedAddress()))
}

/** The slot at 32 of the account at 0 is asked for again. */
export function forgetSlot(): void {
  const slot = findSlot(findAccount(exchangedAddress()), exchangedKey())
  // A storage that was empty at first has no other slots: they are not asked for.
  if (isFresh(slot.owner)) renameStorage(findAccount(exchangedAddress()))
  else slot.state = State.UNKNOWN
}
