// Lays the result of a run out for the host to take and read when it is asked for (src/runResult.ts): a header of offsets and
// counts, then accounts, slots and new codes. Logs, records, their bytes, the output and preimages follow in what the host takes;
// it copies them from where they are, because they may be large.
import { Account, run, touchedAccount, touchedAccounts } from './state/accounts'
import { codeOf } from './state/codes'
import { environmentRead } from './context'
import { returnLength } from './frames'
import { LOGS, MEMORY, PREIMAGES, RECORD_BYTES, RECORDS, RETURN_DATA } from './layout'
import { logCount, logsEnd, SYSTEM } from './logs'
import { reserve } from './memory'
import { preimagesEnd } from './state/preimages'
import { CallRecord, consoleCalled, recordBytesEnd, recordsEnd, recordsTruncated } from './records'
import { touchedSlot, touchedSlots } from './state/slots'
import { copy, equal } from './words/words'

const HEADER: usize = 128
/** The first of the fields that say where sections are copied from, and how many bytes. */
const SOURCES: usize = 20
const ACCOUNT_BYTES: usize = 88
const SLOT_BYTES: usize = 72
/** The index of the account of a log that the protocol made. */
const NO_ACCOUNT: u32 = 0xffffffff

/** What of an account changed; bits of its second field. */
const enum Changed {
  BALANCE = 1,
  NONCE = 2,
  CODE = 4,
  STORAGE_CLEARED = 8,
}

/** The next free byte of the result. */
let at: usize = MEMORY

@inline
function header(index: usize, value: usize): void {
  store<u32>(MEMORY + (index << 2), <u32>value)
}

/** The length of the result so far, what the host copies included. */
let length: usize = 0
let sections: usize = 0

/** Lets the host append bytes, and names them in two fields of the header: where they begin, counted from the start, and `count`. */
function section(index: usize, from: usize, bytes: usize, count: usize): void {
  header(index, length)
  header(index + 1, count)
  header(SOURCES + sections * 2, from)
  header(SOURCES + sections * 2 + 1, bytes)
  sections++
  length = (length + bytes + 7) & ~7
}

/** Returns the length of the result, which starts at MEMORY; 0 if there is no room for it. */
export function collectResult(): usize {
  const bound = HEADER + <usize>touchedAccounts * ACCOUNT_BYTES + <usize>touchedSlots * SLOT_BYTES + 1024
  if (!reserve(MEMORY, bound)) return 0
  at = MEMORY + HEADER
  header(18, environmentRead)
  header(19, <usize>recordsTruncated | (<usize>consoleCalled << 1))
  writeAccounts()
  writeSlots()
  if (!writeCodes()) return 0
  nameLogAccounts()
  length = at - MEMORY
  sections = 0
  section(4, LOGS, logsEnd - LOGS, logCount)
  section(6, RECORDS, recordsEnd - RECORDS, (recordsEnd - RECORDS) / offsetof<CallRecord>())
  section(8, RECORD_BYTES, recordBytesEnd - RECORD_BYTES, RECORD_BYTES)
  section(10, RETURN_DATA, returnLength, returnLength)
  section(12, PREIMAGES, preimagesEnd - PREIMAGES, (preimagesEnd - PREIMAGES) / 96)
  return length
}

function changesOf(account: Account): u32 {
  let changed: u32 = 0
  if (!equal(account.balance, account.originalBalance)) changed |= Changed.BALANCE
  if (account.nonce != account.originalNonce) changed |= Changed.NONCE
  if (!equal(account.codeHash, account.originalCodeHash)) changed |= Changed.CODE
  if (account.storage != account.originalStorage) changed |= Changed.STORAGE_CLEARED
  return changed
}

function writeAccounts(): void {
  header(0, at - MEMORY)
  header(1, touchedAccounts)
  for (let i: u32 = 0; i < touchedAccounts; i++) {
    const account = touchedAccount(i)
    copy(at, account.address)
    store<u32>(at, changesOf(account), 32)
    copy(at + 40, account.balance)
    store<u64>(at, account.nonce, 72)
    at += ACCOUNT_BYTES
  }
}

/** Key, value, the account's index, and whether this run wrote it. */
function writeSlots(): void {
  header(2, at - MEMORY)
  header(3, touchedSlots)
  for (let i: u32 = 0; i < touchedSlots; i++) {
    const slot = touchedSlot(i)
    const account = changetype<Account>(<usize>slot.account)
    copy(at, slot.key)
    copy(at + 32, slot.value)
    store<u32>(at, account.index, 64)
    store<u32>(at, <u32>(slot.written == run && slot.owner == account.storage), 68)
    at += SLOT_BYTES
  }
}

/** Replaces the pointer of an account by its index. */
function nameLogAccounts(): void {
  let p = LOGS
  for (let i: u32 = 0; i < logCount; i++) {
    const account = <usize>load<u32>(p)
    store<u32>(p, account == SYSTEM ? NO_ACCOUNT : changetype<Account>(account).index)
    p = (p + 16 + (<usize>load<u32>(p, 4) << 5) + load<u32>(p, 8) + 15) & ~15
  }
}

/** New codes, in the order of the accounts that have them: length, then bytes. */
function writeCodes(): bool {
  header(14, at - MEMORY)
  let count: usize = 0
  for (let i: u32 = 0; i < touchedAccounts; i++) {
    const account = touchedAccount(i)
    if ((changesOf(account) & Changed.CODE) == 0) continue
    const code = codeOf(account)
    if (!reserve(MEMORY, at - MEMORY + code.length + 16)) return false
    store<u32>(at, code.length)
    memory.copy(at + 4, code.raw, code.length)
    at = (at + 4 + code.length + 7) & ~7
    count++
  }
  header(15, count)
  return true
}
