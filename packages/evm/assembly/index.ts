// What the host calls. Words and addresses go through EXCHANGE as big-endian bytes; accounts are handed out as pointers that hold
// until the heap is evicted.
import {
  Account,
  accountAt,
  beginAccounts,
  credit,
  debit,
  findAccount,
  forgetAssumedAccounts,
  isEmpty,
  setCode,
  setNonce,
  State,
  touch,
  warmAccount,
} from './state/accounts'
import { blake2 } from './crypto/blake2'
import { endFrame, resumeParent, runCode, runInitcode } from './calls'
import { beginMarks, replantMarks } from './state/coverage'
import { markFrame } from './state/checkpoint'
import { exchangedAddress, exchangedKey, WORD } from './state/exchange'
import { createAddress } from './state/createAddresses'
import { Code, codeOf, delegationOf, hashOf, internCode } from './state/codes'
import { clearEnvironmentRead, COINBASE, delegation, stateGas } from './context'
import { FIRST_FRAME, Frame, parentOf, returnLength, setReturnLength } from './frames'
import { Price, price } from './gas'
import { Halt } from './halts'
import { clearOperations, interpret, pausedFrame } from './interpreter'
import { clearJournal, journal, revertTo } from './state/journal'
import { clearAbsorbed, keccak } from './crypto/keccak'
import { EXCHANGE, INPUT, JOURNAL, MEMORY, RETURN_DATA, STACK_TOP } from './layout'
import { clearExhausted, exhausted } from './limits'
import { clearLogs } from './logs'
import { isOverridden } from './overrides'
import { clearPending, pending } from './precompiles/run'
import { beginPreimages } from './state/preimages'
import { appendRecord, CallType, clearRecords, finishRecord } from './records'
import { beginSlots, findSlot, forgetAssumedSlots, freeEndedSlots, refund, setRefund, warmSlot } from './state/slots'
import { chargeState, setStateGas } from './state/stateGas'
import { clearTransient } from './state/transient'
import { copy, fromBytes, isZero, toAddressBytes, toBytes } from './words/words'

export { destroyCondemned } from './state/accounts'
export {
  blobHashCount,
  movePrecompile,
  restorePrecompiles,
  setBlobHash,
  setBlobHashCount,
  setContext,
  setRules,
} from './context'
export { listRegions } from './state/regions'
export {
  clearStorage,
  forgetAccount,
  forgetSlot,
  forgetStorage,
  openView,
  putBalance,
  putCode,
  putNonce,
  putSlot,
  residentAccount,
} from './state/resident'
export { clearMarks, marksEnd, marksLost, setCovering } from './state/coverage'
export { setReturnLength } from './frames'
export { setSeed } from './crypto/hash'
export { evict, heapUsed } from './heap'
export { operation, readsDigest, setCheckInterval, setReported, setReportedOperations, stepsDigest } from './interpreter'
export { EXCHANGE, INPUT, INPUT_END, MARKS, MEMORY, PRICES, RETURN_DATA, ROWS } from './layout'
export { addOverride, clearOverrides, setOverrides } from './overrides'
export { appendHostedLog, describeHosted, readHostedSlot, writeHostedSlot } from './precompiles/hosted'
export { settlePrecompile } from './precompiles/run'
export { collectResult } from './results'
export { reservoir, setStateGas, stateGasUsed } from './state/stateGas'

/** Starts a run on a view. */
export function begin(view: u32, collectPreimages: bool): void {
  beginAccounts(view)
  beginSlots()
  beginPreimages(collectPreimages)
  clearJournal()
  clearLogs()
  beginMarks()
  clearRecords()
  clearTransient()
  clearEnvironmentRead()
  clearExhausted()
  clearPending()
  clearAbsorbed()
  clearOperations()
  setReturnLength(0)
}

/** Puts back what the run did, and forgets what it assumed. The state is again that of the view. */
export function rollback(): void {
  revertTo(JOURNAL)
  replantMarks()
  forgetAssumedAccounts()
  forgetAssumedSlots()
  freeEndedSlots()
}

/** The account of an address: touched, and so in the read set. */
export function account(): usize {
  return changetype<usize>(accountAt(exchangedAddress()))
}

/** The same without reading it, until code does. */
export function unreadAccount(): usize {
  return changetype<usize>(findAccount(exchangedAddress()))
}

/** Reads an account that was not read, which is then in the read set. */
export function touchAccount(p: usize): void {
  touch(changetype<Account>(p))
}

/** Balance at 32, nonce at 64 (little-endian); returns whether the account is known. */
export function readAccount(p: usize): bool {
  const account = changetype<Account>(p)
  toBytes(EXCHANGE + 32, account.balance)
  store<u64>(EXCHANGE, account.nonce, 64)
  return account.state == State.KNOWN
}

/** The kind of an account's code: 0 none, 1 code, 2 a delegation. */
export function codeKind(p: usize): u32 {
  const code = codeOf(changetype<Account>(p))
  if (code.length == 0) return 0
  return delegation && delegationOf(code, WORD) ? 2 : 1
}

export function setAccountNonce(p: usize, nonce: u64): void {
  setNonce(changetype<Account>(p), nonce)
}

/** Adds the word at 32 to a balance. */
export function creditAccount(p: usize): void {
  credit(changetype<Account>(p), exchangedKey())
}

/** Takes the word at 32 off a balance. */
export function debitAccount(p: usize): void {
  debit(changetype<Account>(p), exchangedKey())
}

/** Gives an account the code that was written at RETURN_DATA. */
export function setAccountCode(p: usize, length: u32): void {
  const code = internCode(RETURN_DATA, length)
  setCode(changetype<Account>(p), hashOf(code), changetype<usize>(code))
}

/** Makes the account at 0 warm, without reading it. */
export function warmAddress(): void {
  warmAccount(findAccount(exchangedAddress()))
}

/** Makes the accounts that a message names warm, without reading them. `to` is 0 if it creates one. */
export function warmParties(from: usize, to: usize, warmsCoinbase: bool): void {
  warmAccount(changetype<Account>(from))
  if (to != 0) warmAccount(changetype<Account>(to))
  if (warmsCoinbase) warmAccount(findAccount(COINBASE))
}

/** Makes the slot at 32 of the account at 0 warm, without reading it. */
export function warmStorage(): void {
  warmSlot(findSlot(findAccount(exchangedAddress()), exchangedKey()))
}

export let resultHalt: i32 = 0
export let resultGas: i64 = 0
export let resultRefund: i64 = 0

/**
 * Runs the message itself: the input is at INPUT, the value at EXCHANGE + 32, `to` is an account, or 0 to create one. True: it
 * ended, and what came of it is in the globals above. False: it is paused.
 */
export function execute(from: usize, to: usize, gas: i64, inputLength: u32): bool {
  const sender = changetype<Account>(from)
  const frame = FIRST_FRAME
  frame.depth = 0
  frame.halt = 0
  frame.gas = gas
  frame.base = <u32>STACK_TOP
  frame.sp = <u32>STACK_TOP
  frame.memory = <u32>MEMORY
  frame.memorySize = 0
  frame.text = 0
  frame.overridden = 0
  frame.isStatic = 0
  frame.outputLength = 0
  frame.caller = <u32>from
  fromBytes(frame.value, EXCHANGE + 32)
  if (to == 0) {
    frame.type = CallType.CREATE
    createAddress(WORD, sender.address, sender.nonce)
    setNonce(sender, sender.nonce + 1)
    frame.record = <u32>appendRecord(CallType.CREATE, 0, sender.address, WORD, frame.value, gas, 0, 0, 0)
    runInitcode(frame, accountAt(WORD), INPUT, inputLength)
  } else {
    const target = changetype<Account>(to)
    frame.type = CallType.CALL
    frame.target = <u32>to
    frame.self = <u32>to
    frame.input = <u32>INPUT
    frame.inputLength = inputLength
    if (isOverridden(target, INPUT, inputLength)) frame.overridden = 1
    frame.record = <u32>appendRecord(CallType.CALL, 0, sender.address, target.address, frame.value, gas, 0, 0, 0)
    let code = codeOf(target)
    markFrame(frame)
    if (stateGas && !isZero(frame.value) && isEmpty(target)) frame.gas = chargeState(frame, price(Price.ACCOUNT_STATE), frame.gas)
    if (delegation && frame.gas >= 0 && delegationOf(code, WORD)) {
      const delegate = findAccount(WORD)
      const isCold = warmAccount(delegate)
      // From EIP-2780 on, the message pays for what runs instead of its target.
      if (stateGas) frame.gas -= isCold ? price(Price.COLD_ACCOUNT) : price(Price.WARM_ACCESS)
      if (frame.gas >= 0) {
        touch(delegate)
        code = codeOf(delegate)
      }
    }
    if (frame.gas < 0) return failPreparation(frame)
    runCode(frame, code, !isZero(frame.value))
  }
  if (pending != 0) return false
  return frame.text == 0 ? finish() : go(frame)
}

/** Where the journal was before authorizations and what else belongs to the message but not to its sender. */
let prepared: usize = JOURNAL
let preparedReservoir: i64 = 0

/**
 * Keeps where the journal is, to come back to when there is too little gas for the preparation of the message (EIP-2780), and
 * fills the reservoir of state gas.
 */
export function beginPreparation(reservoir: i64): void {
  prepared = journal
  preparedReservoir = reservoir
  setStateGas(reservoir, 0)
}

/** Takes back the preparation of the message. */
export function revertPreparation(): void {
  revertTo(prepared)
  setStateGas(preparedReservoir, 0)
}

/** Ends a message that has too little gas to start. */
function failPreparation(frame: Frame): bool {
  frame.halt = Halt.OUT_OF_GAS
  finish()
  revertPreparation()
  return true
}

/** Goes on with a paused message. A precompile that it waits for must be settled. Answers as `execute` does. */
export function resume(): bool {
  if (pending == 0) return go(pausedFrame)
  const child = changetype<Frame>(pending)
  clearPending()
  if (child === FIRST_FRAME) return finish()
  endFrame(child)
  const frame = parentOf(child)
  resumeParent(frame, child)
  return go(frame)
}

function go(frame: Frame): bool {
  return interpret(frame) && finish()
}

function finish(): bool {
  const frame = FIRST_FRAME
  endFrame(frame)
  resultHalt = frame.halt
  resultGas = frame.gas
  resultRefund = refund
  return true
}

/** Ends the message with a halt and without gas, without running it: what `execute` leaves when it fails at once. */
export function refuse(from: usize, to: usize, gas: i64, halt: i32): void {
  const sender = changetype<Account>(from)
  const frame = FIRST_FRAME
  if (to == 0) {
    createAddress(WORD, sender.address, sender.nonce)
    setNonce(sender, sender.nonce + 1)
  } else {
    copy(WORD, changetype<Account>(to).address)
  }
  fromBytes(frame.value, EXCHANGE + 32)
  const type = to == 0 ? CallType.CREATE : CallType.CALL
  const record = appendRecord(type, 0, sender.address, WORD, frame.value, gas, 0, 0, 0)
  finishRecord(record, halt, 0, 0, 0, 0)
  resultHalt = halt
  resultGas = 0
  resultRefund = refund
}

/** Adds to the gas that is given back at the end. */
export function addRefund(gas: i64): void {
  setRefund(refund + gas)
}

/** Writes the address that the message created to EXCHANGE. */
export function createdAddress(): void {
  toAddressBytes(EXCHANGE, FIRST_FRAME.targetAccount.address)
}

export function isExhausted(): bool {
  return exhausted
}

export function outputLength(): u32 {
  return returnLength
}

/** The code of a mark: its hash at 0, its length at 32 and where its bytes are at 36 (little-endian). */
export function describeCode(p: usize): void {
  const code = changetype<Code>(p)
  toBytes(EXCHANGE, code.hash)
  store<u32>(EXCHANGE, code.length, 32)
  store<u32>(EXCHANGE, code.raw, 36)
}

// Functions that the host uses for itself.

/** Hashes `length` bytes at INPUT; writes the digest to EXCHANGE. */
export function hash(length: u32): void {
  keccak(INPUT, length, WORD)
  toBytes(EXCHANGE, WORD)
}

/**
 * Rounds [from, to) of BLAKE2b's compression; see blake2.ts. The input is at EXCHANGE + 1024; with the last round the output goes
 * to RETURN_DATA.
 */
export function compress(from: u32, to: u32, rounds: u32): void {
  blake2(from, to, rounds, EXCHANGE + 1024, RETURN_DATA)
}
