// Accounts that are resident, and what this run did to them.
import { addTo, subFrom } from '../words/arithmetic'
import { isAlwaysWarm, keepsBalance } from '../context'
import { hashWord } from '../crypto/hash'
import { allocate } from '../heap'
import * as host from '../host'
import { keepU32, keepU64, keepWord } from './journal'
import { keccak } from '../crypto/keccak'
import { ACCOUNT_TABLE, ACCOUNT_TABLE_BITS, EXCHANGE, MAX_TOUCHED, TOUCHED_ACCOUNTS } from '../layout'
import { setExhausted } from '../limits'
import { copy, equal, fromBytes, isZero, set, toAddressBytes } from '../words/words'

/** Whether a value is known: `ASSUMED` ones were missing in the view and are zero for this run only. */
export const enum State {
  UNKNOWN = 0,
  KNOWN = 1,
  ASSUMED = 2,
}

@unmanaged
export class Account {
  next: u32
  /** The view that it belongs to. */
  view: u32
  address0: u64
  address1: u64
  address2: u64
  address3: u64
  balance0: u64
  balance1: u64
  balance2: u64
  balance3: u64
  codeHash0: u64
  codeHash1: u64
  codeHash2: u64
  codeHash3: u64
  nonce: u64
  /** The `Code` of `codeHash`, 0 when it was not looked up yet. */
  code: u32
  state: u32
  /** Names its storage; a new one empties it. See slots.ts. */
  storage: u32
  /** The run in which it became warm. */
  warm: u32
  /** The run that touched it last: the fields below hold what it was before that run. */
  touched: u32
  /** The run that created it. */
  created: u32
  /** The run in which SELFDESTRUCT condemned it. */
  destroyed: u32
  originalStorage: u32
  originalBalance0: u64
  originalBalance1: u64
  originalBalance2: u64
  originalBalance3: u64
  originalCodeHash0: u64
  originalCodeHash1: u64
  originalCodeHash2: u64
  originalCodeHash3: u64
  originalNonce: u64
  /** Its index among the touched accounts. */
  index: u32
  padding: u32

  @inline get address(): usize {
    return changetype<usize>(this) + offsetof<Account>('address0')
  }
  @inline get balance(): usize {
    return changetype<usize>(this) + offsetof<Account>('balance0')
  }
  @inline get codeHash(): usize {
    return changetype<usize>(this) + offsetof<Account>('codeHash0')
  }
  @inline get originalBalance(): usize {
    return changetype<usize>(this) + offsetof<Account>('originalBalance0')
  }
  @inline get originalCodeHash(): usize {
    return changetype<usize>(this) + offsetof<Account>('originalCodeHash0')
  }
}

/** The hash of the empty code. */
export const EMPTY_HASH: usize = memory.data(32, 8)
keccak(0, 0, EMPTY_HASH)

/** The number of this run. What carries another number belongs to an earlier one. */
export let run: u32 = 0
/** The view of this run. */
let view: u32 = 0
export let touchedAccounts: u32 = 0

/** How many storages were named so far. */
let storages: u32 = 0
/** How many were named before this run. */
let storagesBefore: u32 = 0
/** Marks storages that were empty at first: their slots are not requested from the host. */
const FRESH: u32 = 0x80000000

export function beginAccounts(view_: u32): void {
  run++
  view = view_
  touchedAccounts = 0
  storagesBefore = storages
}

export function useView(view_: u32): void {
  view = view_
}

@inline
export function isFresh(storage: u32): bool {
  return (storage & FRESH) != 0
}

/** Whether this run emptied an account whose storage that is since. No account has it when the run is over. */
export function endsWithRun(storage: u32): bool {
  return isFresh(storage) && (storage & ~FRESH) > storagesBefore
}

function freshStorage(): u32 {
  return ++storages | FRESH
}

/** Gives an account a storage of which nothing is resident. */
export function renameStorage(account: Account): void {
  account.storage = ++storages
}

/** The account at an address (a word whose high 96 bits are zero), not loaded. */
export function findAccount(address: usize): Account {
  const bucket = ACCOUNT_TABLE + (hashWord(address, view, ACCOUNT_TABLE_BITS) << 2)
  let p = <usize>load<u32>(bucket)
  while (p != 0) {
    const account = changetype<Account>(p)
    if (account.view == view && equal(account.address, address)) return account
    p = account.next
  }
  p = allocate(offsetof<Account>())
  const account = changetype<Account>(p)
  account.view = view
  copy(account.address, address)
  account.storage = ++storages
  account.next = load<u32>(bucket)
  store<u32>(bucket, <u32>p)
  return account
}

/** The account at an address, loaded and part of the read set. */
export function accountAt(address: usize): Account {
  const account = findAccount(address)
  if (account.touched != run) touch(account)
  return account
}

/** Loads an account and keeps what it was before the run. */
export function touch(account: Account): void {
  if (account.touched == run) return
  if (account.state == State.UNKNOWN) loadFromHost(account)
  account.touched = run
  copy(account.originalBalance, account.balance)
  copy(account.originalCodeHash, account.codeHash)
  account.originalNonce = account.nonce
  account.originalStorage = account.storage
  if (touchedAccounts == MAX_TOUCHED) return setExhausted()
  account.index = touchedAccounts
  store<u32>(TOUCHED_ACCOUNTS + ((<usize>touchedAccounts) << 2), <u32>changetype<usize>(account))
  touchedAccounts++
}

@inline
export function touchedAccount(index: u32): Account {
  return changetype<Account>(<usize>load<u32>(TOUCHED_ACCOUNTS + ((<usize>index) << 2)))
}

function loadFromHost(account: Account): void {
  toAddressBytes(EXCHANGE, account.address)
  if (host.loadAccount()) {
    account.state = State.KNOWN
    fromBytes(account.balance, EXCHANGE + 32)
    account.nonce = load<u64>(EXCHANGE + 64)
    fromBytes(account.codeHash, EXCHANGE + 72)
  } else {
    account.state = State.ASSUMED
    set(account.balance, 0, 0, 0, 0)
    account.nonce = 0
    copy(account.codeHash, EMPTY_HASH)
  }
  account.code = 0
}

/** Forgets what this run assumed about accounts, so that the next asks the host again. */
export function forgetAssumedAccounts(): void {
  for (let i: u32 = 0; i < touchedAccounts; i++) {
    const account = touchedAccount(i)
    if (account.state == State.ASSUMED) account.state = State.UNKNOWN
  }
}

/** Makes an account warm; returns whether it was cold. */
export function warmAccount(account: Account): bool {
  if (account.warm == run || isAlwaysWarm(account.address)) return false
  keepU32(changetype<usize>(account) + offsetof<Account>('warm'))
  account.warm = run
  return true
}

@inline
export function hasCode(account: Account): bool {
  return !equal(account.codeHash, EMPTY_HASH)
}

/** Empty in the sense of EIP-161, which also means that it does not exist. */
export function isEmpty(account: Account): bool {
  return account.nonce == 0 && isZero(account.balance) && !hasCode(account)
}

export function credit(account: Account, value: usize): void {
  keepWord(account.balance)
  addTo(account.balance, value)
}

export function debit(account: Account, value: usize): void {
  keepWord(account.balance)
  subFrom(account.balance, value)
}

export function clearBalance(account: Account): void {
  keepWord(account.balance)
  set(account.balance, 0, 0, 0, 0)
}

export function setNonce(account: Account, nonce: u64): void {
  keepU64(changetype<usize>(account) + offsetof<Account>('nonce'))
  account.nonce = nonce
}

/** Gives an account other code; `code` may be 0 when it is not resident. */
export function setCode(account: Account, codeHash: usize, code: usize): void {
  keepWord(account.codeHash)
  keepU32(changetype<usize>(account) + offsetof<Account>('code'))
  copy(account.codeHash, codeHash)
  account.code = <u32>code
}

export function emptyStorage(account: Account): void {
  keepU32(changetype<usize>(account) + offsetof<Account>('storage'))
  account.storage = freshStorage()
}

export function markCreated(account: Account): void {
  keepU32(changetype<usize>(account) + offsetof<Account>('created'))
  account.created = run
}

export function condemn(account: Account): void {
  keepU32(changetype<usize>(account) + offsetof<Account>('destroyed'))
  account.destroyed = run
}

/** At the end of a transaction: empties every account that was condemned. */
export function destroyCondemned(): void {
  for (let i: u32 = 0; i < touchedAccounts; i++) {
    const account = touchedAccount(i)
    if (account.destroyed != run) continue
    if (!keepsBalance) clearBalance(account)
    setNonce(account, 0)
    setCode(account, EMPTY_HASH, 0)
    emptyStorage(account)
  }
}
