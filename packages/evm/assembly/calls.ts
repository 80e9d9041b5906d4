// Calls and creates: how frames start and end.
import {
  Account,
  accountAt,
  emptyStorage,
  findAccount,
  hasCode,
  isEmpty,
  markCreated,
  setNonce,
  touch,
  warmAccount,
} from './state/accounts'
import { copyBytes } from './words/bytes'
import { analyse, analysedSize, Code, codeOf, delegationOf, internCode, jumpsOffset, prepare } from './state/codes'
import { delegation, limitInitcode, maxCodeSize, precompileAt, stateGas, storageCollides } from './context'
import { covering } from './state/coverage'
import { markFrame, revertFrame } from './state/checkpoint'
import { depositCode } from './state/deposit'
import { create2Address, createAddress } from './state/createAddresses'
import { addExtraWork, COPY_BITS } from './extraWork'
import { childOf, Frame, MAX_DEPTH, returnLength, setReturnLength } from './frames'
import { memoryCost, Price, price, wordsOf } from './gas'
import { Halt } from './halts'
import { hasSpare } from './heap'
import * as host from './host'
import { EXCHANGE, RETURN_DATA, SCRATCH } from './layout'
import { logCount } from './logs'
import { extend, rangeEnd, reserve, TOO_FAR } from './memory'
import { Op } from './opcodes'
import { isOverridden, overrideOutput } from './overrides'
import { runPrecompile } from './precompiles/run'
import { appendRecord, CallType, finishRecord, noteEmptyCall } from './records'
import { chargeState, creditState, mergeSpilled } from './state/stateGas'
import { transfer } from './state/transfer'
import { copy, isSmall, isZero, less, set, setSmall, toAddressBytes, truncateToAddress } from './words/words'

const DELEGATE: usize = SCRATCH + 0x340
const ADDRESS: usize = SCRATCH + 0x360

/** Pays for and makes the memory that an operation of a spilled frame needs. False: out of gas. */
function expand(frame: Frame, end: u64): bool {
  if (end <= <u64>frame.memorySize) return true
  if (end == TOO_FAR) return false
  const size = (end + 31) & ~31
  frame.gas -= memoryCost(size >> 5) - memoryCost(frame.memorySize >> 5)
  if (frame.gas < 0 || !extend(frame.memory, frame.memorySize, <usize>size)) return false
  frame.memorySize = <u32>size
  return true
}

@inline
function lowWord(p: usize): u32 {
  return <u32>load<u64>(p)
}

/** A child of a frame with what every kind of child has. Its memory and stack begin where the parent's end. */
function makeChild(frame: Frame, type: i32, gas: i64): Frame {
  const child = childOf(frame)
  child.depth = frame.depth + 1
  child.type = type
  child.halt = Halt.NONE
  child.gas = gas
  child.base = frame.sp
  child.sp = frame.sp
  child.memory = frame.memory + frame.memorySize
  child.memorySize = 0
  child.text = 0
  child.overridden = 0
  child.newAccount = 0
  return child
}

/**
 * CALL, CALLCODE, DELEGATECALL and STATICCALL of a spilled frame. Answers the child, which may have ended already (`text` is 0),
 * or 0 when the frame itself halts, with the reason in `halt`.
 */
export function beginCall(frame: Frame, op: i32): usize {
  const sp = <usize>frame.sp
  const hasValue = op == Op.CALL || op == Op.CALLCODE
  const range = hasValue ? sp + 96 : sp + 64
  const value = sp + 64
  const pays = hasValue && !isZero(value)

  const inputEnd = rangeEnd(range, range + 32)
  const outputEnd = rangeEnd(range + 64, range + 96)
  if (!expand(frame, inputEnd > outputEnd ? inputEnd : outputEnd)) return outOfGas(frame)
  truncateToAddress(sp + 32)
  const target = findAccount(sp + 32)
  if (warmAccount(target)) frame.gas -= price(Price.COLD_ACCOUNT_SURCHARGE)
  if (pays) frame.gas -= price(Price.CALL_VALUE)
  // What is not paid for is not read (EIP-7928).
  if (frame.gas < 0) return outOfGas(frame)
  touch(target)
  let code = codeOf(target)
  if (delegation && delegationOf(code, DELEGATE)) {
    const delegate = findAccount(DELEGATE)
    frame.gas -= warmAccount(delegate) ? price(Price.COLD_ACCOUNT) : price(Price.WARM_ACCESS)
    if (frame.gas < 0) return outOfGas(frame)
    touch(delegate)
    code = codeOf(delegate)
  }
  const createsAccount = pays && op == Op.CALL && isEmpty(target)
  if (createsAccount) frame.gas -= price(Price.NEW_ACCOUNT)
  if (frame.gas < 0) return outOfGas(frame)
  if (pays && op == Op.CALL && frame.isStatic) {
    frame.halt = Halt.WRITE_PROTECTION
    return 0
  }
  if (createsAccount && stateGas) {
    frame.gas = chargeState(frame, price(Price.ACCOUNT_STATE), frame.gas)
    if (frame.gas < 0) return outOfGas(frame)
  }
  // All but one 64th of the gas may be given (EIP-150).
  let gas = frame.gas - (frame.gas >> 6)
  if (isSmall(sp) && load<u64>(sp) < <u64>gas) gas = <i64>load<u64>(sp)
  frame.gas -= gas
  if (pays) gas += price(Price.CALL_STIPEND)

  const input = lowWord(range)
  const inputLength = lowWord(range + 32)
  const outputOffset = lowWord(range + 64)
  const outputLength = lowWord(range + 96)
  frame.sp = <u32>(range + 128)
  const type =
    op == Op.CALL
      ? CallType.CALL
      : op == Op.STATICCALL
        ? CallType.STATICCALL
        : op == Op.DELEGATECALL
          ? CallType.DELEGATECALL
          : CallType.CALLCODE
  const child = makeChild(frame, type, gas)
  child.target = <u32>changetype<usize>(target)
  child.input = inputLength == 0 ? 0 : frame.memory + input
  child.inputLength = inputLength
  child.outputOffset = outputOffset
  child.outputLength = outputLength
  if (createsAccount && stateGas) child.newAccount = price(Price.ACCOUNT_STATE)
  child.isStatic = op == Op.STATICCALL ? 1 : frame.isStatic
  if (op == Op.CALL || op == Op.STATICCALL) {
    child.self = child.target
    child.caller = frame.self
    if (isOverridden(target, child.input, inputLength)) child.overridden = 1
  } else {
    child.self = frame.self
    child.caller = op == Op.DELEGATECALL ? frame.caller : frame.self
  }
  if (hasValue) copy(child.value, value)
  else if (op == Op.DELEGATECALL) copy(child.value, frame.value)
  else setSmall(child.value, 0)
  child.record = <u32>appendRecord(
    type,
    child.depth,
    frame.selfAccount.address,
    target.address,
    child.value,
    gas,
    child.input,
    inputLength,
    logCount,
  )
  markFrame(child)
  if (child.depth > MAX_DEPTH) child.halt = Halt.CALL_DEPTH
  else if (pays && less(frame.selfAccount.balance, value)) child.halt = Halt.INSUFFICIENT_BALANCE
  else runCode(child, code, op == Op.CALL && pays)
  return changetype<usize>(child)
}

/** Moves the value, then makes the frame ready to run its code, or runs a precompile at once. */
export function runCode(frame: Frame, code: Code, pays: bool): void {
  setReturnLength(0)
  if (pays) transfer(frame)
  const precompile = precompileAt(frame.targetAccount.address)
  if (precompile != 0) return runPrecompile(frame, precompile)
  if (code.length == 0) return noteEmptyCall(frame.targetAccount.address)
  if (prepare(code)) enterCode(frame, code)
}

function enterCode(frame: Frame, code: Code): void {
  frame.text = code.text
  frame.pc = code.text
  frame.jumps = code.jumps
  frame.raw = code.raw
  frame.codeLength = code.length
}

function outOfGas(frame: Frame): usize {
  frame.halt = Halt.OUT_OF_GAS
  return 0
}

/** CREATE and CREATE2 of a spilled frame. Answers as `beginCall` does. */
export function beginCreate(frame: Frame, op: i32): usize {
  const sp = <usize>frame.sp
  if (frame.isStatic) {
    frame.halt = Halt.WRITE_PROTECTION
    return 0
  }
  if (!expand(frame, rangeEnd(sp + 32, sp + 64))) return outOfGas(frame)
  const offset = lowWord(sp + 32)
  const length = lowWord(sp + 64)
  if (limitInitcode && length > maxCodeSize << 1) {
    frame.halt = Halt.MAX_INITCODE_SIZE
    return 0
  }
  frame.gas -= price(Price.INITCODE_WORD) * wordsOf(length)
  if (op == Op.CREATE2) frame.gas -= price(Price.KECCAK_WORD) * wordsOf(length)
  if (frame.gas < 0) return outOfGas(frame)

  const self = frame.selfAccount
  const initcode: usize = length == 0 ? 0 : frame.memory + offset
  if (op == Op.CREATE2) create2Address(ADDRESS, self.address, sp + 96, initcode, length)
  else createAddress(ADDRESS, self.address, self.nonce)
  const createsAccount = stateGas && isEmpty(accountAt(ADDRESS))
  if (createsAccount) {
    frame.gas = chargeState(frame, price(Price.ACCOUNT_STATE), frame.gas)
    if (frame.gas < 0) return outOfGas(frame)
  }
  const gas = frame.gas - (frame.gas >> 6)
  frame.gas -= gas
  frame.sp = <u32>(sp + (op == Op.CREATE2 ? 128 : 96))

  const child = makeChild(frame, op == Op.CREATE2 ? CallType.CREATE2 : CallType.CREATE, gas)
  copy(child.value, sp)
  child.caller = frame.self
  child.isStatic = 0
  child.outputLength = 0
  if (createsAccount) child.newAccount = price(Price.ACCOUNT_STATE)
  child.record = <u32>appendRecord(child.type, child.depth, self.address, ADDRESS, child.value, gas, initcode, length, logCount)
  markFrame(child)
  if (child.depth > MAX_DEPTH) child.halt = Halt.CALL_DEPTH
  else if (less(self.balance, child.value)) child.halt = Halt.INSUFFICIENT_BALANCE
  else if (self.nonce == u64.MAX_VALUE) child.halt = Halt.NONCE_OVERFLOW
  if (child.halt != Halt.NONE) return changetype<usize>(child)
  setNonce(self, self.nonce + 1)
  runInitcode(child, accountAt(ADDRESS), initcode, length)
  return changetype<usize>(child)
}

/** Makes a frame ready to run the init code of a new account. What came before stays even if it fails. */
export function runInitcode(frame: Frame, created: Account, initcode: usize, length: u32): void {
  setReturnLength(0)
  warmAccount(created)
  markFrame(frame)
  frame.target = <u32>changetype<usize>(created)
  frame.self = frame.target
  frame.input = 0
  frame.inputLength = 0
  if (created.nonce != 0 || hasCode(created) || (storageCollides && hasStorage(created))) {
    frame.halt = Halt.COLLISION
    return
  }
  // The account that an operation creates was paid for by its frame.
  if (stateGas && frame.depth == 0 && isEmpty(created)) {
    frame.gas = chargeState(frame, price(Price.ACCOUNT_STATE), frame.gas)
    if (frame.gas < 0) {
      frame.halt = Halt.OUT_OF_GAS
      return
    }
  }
  markCreated(created)
  emptyStorage(created)
  setNonce(created, 1)
  if (!isZero(frame.value)) transfer(frame)
  if (length == 0) return
  if (covering && hasSpare(<usize>length << 2)) {
    const code = internCode(initcode, length)
    if (prepare(code)) enterCode(frame, code)
    return
  }
  // Init code runs once: its analysis is stored below the frame's memory and freed with it.
  const text = <usize>frame.memory
  const size = (analysedSize(length) + 31) & ~31
  if (!reserve(text, size)) {
    frame.halt = Halt.OUT_OF_GAS
    return
  }
  analyse(initcode, length, text)
  frame.text = <u32>text
  frame.pc = <u32>text
  frame.jumps = <u32>(text + jumpsOffset(length))
  frame.raw = <u32>initcode
  frame.codeLength = length
  frame.memory = <u32>(text + size)
}

function hasStorage(account: Account): bool {
  toAddressBytes(EXCHANGE, account.address)
  return host.hasStorage()
}

@inline
export function isCreate(frame: Frame): bool {
  return frame.type == CallType.CREATE || frame.type == CallType.CREATE2
}

/** What it takes the host to answer for an override, in gas. */
const OVERRIDE_WORK: i64 = 5000

/** Ends a frame according to its `halt`: keeps or reverts its changes, and passes on its return data. */
export function endFrame(frame: Frame): void {
  if (frame.halt == Halt.NONE) {
    if (isCreate(frame)) depositCode(frame, returnLength)
    else if (frame.overridden) {
      addExtraWork(OVERRIDE_WORK)
      setReturnLength(overrideOutput(frame.targetAccount, frame.input, frame.inputLength, returnLength))
    }
  }
  const halt = frame.halt
  const logEnd = logCount
  if (halt != Halt.NONE) {
    revertFrame(frame)
    if (halt != Halt.REVERT) {
      setReturnLength(0)
      const refused = halt == Halt.CALL_DEPTH || halt == Halt.INSUFFICIENT_BALANCE || halt == Halt.NONCE_OVERFLOW
      if (!refused) frame.gas = 0
    }
  }
  finishRecord(frame.record, halt, frame.gas, RETURN_DATA, returnLength, logEnd)
}

/** Hands what an ended child left to its spilled parent. */
export function resumeParent(parent: Frame, child: Frame): void {
  parent.gas += child.gas
  const result = <usize>parent.sp - 32
  parent.sp = <u32>result
  const success = child.halt == Halt.NONE
  if (success) parent.gas = mergeSpilled(parent, child.spilled, parent.gas)
  else if (child.newAccount != 0) parent.gas = creditState(parent, child.newAccount, parent.gas)
  if (isCreate(child)) {
    if (success) {
      setReturnLength(0)
      copy(result, child.targetAccount.address)
    } else {
      set(result, 0, 0, 0, 0)
    }
    return
  }
  const length = child.outputLength < returnLength ? child.outputLength : returnLength
  addExtraWork(length >> COPY_BITS)
  if (length != 0) copyBytes(<usize>parent.memory + child.outputOffset, RETURN_DATA, length)
  setSmall(result, <u64>success)
}
