// The interpreter: one loop over the operations of the running frame, its registers in locals. An operation's static gas and the
// stack that it needs come from the table at ROWS; what depends on operands is charged where it is known. `break` ends the frame
// with `halt`; `continue` goes on with the operation at `pc`.
import { Account, findAccount, isEmpty, touch, warmAccount } from './state/accounts'
import { add, addmod, addSmall, div, mod, mul, mulmod, sdiv, smod, sub } from './words/arithmetic'
import {
  and,
  byte,
  countLeadingZeros,
  exp,
  maskTo,
  sar,
  setMask,
  shiftLeft,
  shiftRight,
  shl,
  shr,
  signextend,
} from './words/bits'
import { blockHash } from './blocks'
import { copyBytes } from './words/bytes'
import { beginCall, beginCreate, endFrame, isCreate, resumeParent } from './calls'
import { reachMark } from './state/coverage'
import { pending } from './precompiles/run'
import { codeOf } from './state/codes'
import {
  BASE_FEE,
  BLOB_BASE_FEE,
  blobHashCount,
  CHAIN_ID,
  COINBASE,
  GAS_LIMIT,
  GAS_PRICE,
  markRead,
  NUMBER,
  ORIGIN,
  PREV_RANDAO,
  Read,
  SLOT_NUMBER,
  TIMESTAMP,
} from './context'
import { selfdestruct } from './state/destruct'
import { takeExtraWork } from './extraWork'
import { TRACING } from './flavor'
import { FIRST_FRAME, Frame, parentOf, returnLength, setReturnLength } from './frames'
import { memoryCost, Price, price, wordsOf } from './gas'
import { Halt } from './halts'
import * as host from './host'
import { absorbed, keccak, keccakPair, keccakPart, PART } from './crypto/keccak'
import { BLOB_HASHES, MAX_FRAME_MEMORY, RETURN_DATA, ROWS, SCRATCH, STACK_BYTES } from './layout'
import { appendLog } from './logs'
import { clampOffset, copyPadded, extend, rangeEnd, TOO_FAR } from './memory'
import { Fused, Op, rowGas, rowNeed, rowRoom, UNDEFINED_NEED } from './opcodes'
import { collecting, keepPreimage } from './state/preimages'
import { refund, sload, sstore } from './state/slots'
import { tload, tstore } from './state/transient'
import {
  byteLength,
  copy,
  equal,
  exchange,
  fromBytes,
  isSmall,
  isZero,
  less,
  set,
  setSmall,
  signedLess,
  toBytes,
  truncateToAddress,
} from './words/words'

/** The gas left after memory has grown to `end` bytes; negative when it is too little or a limit is hit. */
function expand(gas: i64, start: usize, size: usize, end: u64): i64 {
  if (end == TOO_FAR) return -1
  const newSize = roundUp(end)
  const left = gas - (memoryCost(newSize >> 5) - memoryCost(size >> 5))
  if (left < 0) return left
  return extend(start, size, newSize) ? left : -1
}

/** The size of a memory that holds `end` bytes: whole words. */
@inline
function roundUp(end: u64): usize {
  return (<usize>end + 31) & ~31
}

@inline
function isJumpDestination(frame: Frame, target: u64): bool {
  if (target >= <u64>frame.codeLength) return false
  const at = <u32>target
  return ((load<u8>(<usize>frame.jumps + (at >> 3)) >> <u8>(at & 7)) & 1) != 0
}

/** Whether [offset, offset + count) goes past `length`, without overflow. */
function isPast(offset: u64, count: u64, length: u32): bool {
  return offset > <u64>length || count > <u64>length - offset
}

// EIP-8024 of 2026-06-10.

/** The byte after an operation. The text may have a fused operation there. */
@inline
function immediate(frame: Frame, pc: usize): usize {
  return pc + 1 < <usize>frame.codeLength ? <usize>load<u8>(<usize>frame.raw + pc + 1) : 0
}

/** Where the word is that DUPN and SWAPN name, in bytes; 0 when the immediate is invalid. */
@inline
function depthOf(immediate: usize): usize {
  return immediate > 90 && immediate < 128 ? 0 : ((immediate + 145) & 0xff) << 5
}

/** The gas left after an account is named; negative when it is too little. What is not paid for is not read (EIP-7928). */
@inline
function access(account: Account, gas: i64): i64 {
  if (warmAccount(account)) gas -= price(Price.COLD_ACCOUNT_SURCHARGE)
  if (gas >= 0) touch(account)
  return gas
}

@inline
function rowOf(op: i32): u64 {
  return load<u64>(ROWS + (op << 3))
}

/** How far below the top of the stack the word of a DUP is once it ran, and that of a SWAP, in bytes. */
@inline
function dupDepth(op: usize): usize {
  return ((<usize>load<u8>(op) - Op.DUP1) << 5) + 32
}

@inline
function swapDepth(op: usize): usize {
  return ((<usize>load<u8>(op) - Op.SWAP1) << 5) + 32
}

/** Where the original code has the operation at `pc`. */
@inline
function rawAt(frame: Frame, text: usize, pc: usize): usize {
  return <usize>frame.raw + (pc - text)
}

/** Whether a jump that was taken to `pc` may run the JUMPDEST there with it: one of gas, and nothing else is to be done. */
@inline
function passesTarget(pc: usize, gas: i64, checkAt: i64): bool {
  return !TRACING && load<u8>(pc) == Op.JUMPDEST && gas > checkAt && gas > 0
}

/** Gas between two pause checks of the host. The slowest operations take some 25 ns for one gas. */
let checkInterval: i64 = 50_000

export function setCheckInterval(gas: i64): void {
  checkInterval = gas
}

/** The number of the next operation of the message, and those that the host is told of. */
export let operation: u64 = 0
let reportFrom: u64 = 0
let reportCount: u64 = 0

/** Hashes of the operations so far, and of what those in `digestReads` left on the stack; 0 `digestEvery` for none. */
export let stepsDigest: u64 = 0
export let readsDigest: u64 = 0
let digestEvery: u64 = 0
/** Bit n: operation 0x30 + n. */
let digestReads: u64 = 0
/** The frame whose last operation reads a value. */
let readingFrame: usize = 0

/** Which operations the host is told of, except those that fail: bit n of each is operation n, 64 + n, 128 + n and 192 + n. */
let reported0: u64 = u64.MAX_VALUE
let reported1: u64 = u64.MAX_VALUE
let reported2: u64 = u64.MAX_VALUE
let reported3: u64 = u64.MAX_VALUE

export function setReportedOperations(first: u64, second: u64, third: u64, fourth: u64): void {
  reported0 = first
  reported1 = second
  reported2 = third
  reported3 = fourth
}

@inline
function isReported(op: i32): bool {
  const bits = op < 128 ? (op < 64 ? reported0 : reported1) : op < 192 ? reported2 : reported3
  return ((bits >> (op & 63)) & 1) != 0
}

/** A message begins. */
export function clearOperations(): void {
  operation = 0
  stepsDigest = 0
  readsDigest = 0
  readingFrame = 0
}

/**
 * Tells the host of `count` operations, after `from` others, of the message that begins or goes on. With `every`, it is told of each
 * `every`th one instead and of those that may begin or end a frame, and all are hashed.
 */
export function setReported(from: u64, count: u64, every: u64, reads: u64): void {
  reportFrom = from
  reportCount = count
  digestEvery = every
  digestReads = reads
}

@inline
function mixed(digest: u64, part: u64): u64 {
  const product = (digest ^ part) * 0x9e3779b97f4a7c15
  return product ^ (product >> 29)
}

/** Hashes an operation and what the one before it read. Whether the host is told of it. */
function digest(frame: Frame, pc: u32, op: i32, sp: usize): bool {
  if (readingFrame == changetype<usize>(frame)) {
    readsDigest = mixed(readsDigest, operation)
    for (let at: usize = 0; at < 32; at += 8) readsDigest = mixed(readsDigest, load<u64>(sp + at))
  }
  const bit = <u32>op - 0x30
  readingFrame = bit < 64 && ((digestReads >> bit) & 1) != 0 ? changetype<usize>(frame) : 0
  stepsDigest = mixed(stepsDigest, (<u64>frame.depth << 40) | (<u64>op << 32) | pc)
  return operation % digestEvery == 0 || op >= Op.CREATE
}

/** The cost of a call in addition to the gas it passes on. */
const CALL_WORK: i64 = 200
/** Not the end of a frame: a pause check is due. */
const PAUSE_CHECK: i32 = -1

/** Why an operation cannot run. */
function refusal(row: u64, gas: i64, have: i32): i32 {
  if (rowNeed(row) == UNDEFINED_NEED) return Halt.INVALID_OPCODE
  if (have < rowNeed(row)) return Halt.STACK_UNDERFLOW
  return gas < 0 ? Halt.OUT_OF_GAS : Halt.STACK_OVERFLOW
}

/** The frame that continues when a paused message is resumed. */
export let pausedFrame: Frame = FIRST_FRAME
/** The gas before the hash that was paused half way. */
let hashGas: i64 = 0

/**
 * Runs a frame from where its registers say, and all frames above and below it, until the message's own has ended. False: it
 * was paused before that, and `pausedFrame` goes on.
 */
export function interpret(start: Frame): bool {
  let frame = start
  let base = <usize>frame.base
  let sp = <usize>frame.sp
  let limit = base - STACK_BYTES
  let memory_ = <usize>frame.memory
  let size = <usize>frame.memorySize
  let text = <usize>frame.text
  let pc = <usize>frame.pc
  let gas = frame.gas
  let halt: i32 = Halt.NONE
  // A hash that was paused half way was reported already.
  let stepOpen = absorbed != 0
  let stepGas = hashGas
  // What the operation found, to be told of only if it fails.
  let isHidden = false
  let stepPc = pc
  let stepSp = sp
  let stepSize = size
  // The clock is looked at where the gas is below.
  let checkAt = gas - checkInterval

  for (;;) {
    let op = <i32>load<u8>(pc)
    if (TRACING && absorbed == 0) {
      if (stepOpen && host.stepDone(stepGas - gas, 0)) {
        pause(frame, pc, sp, size, gas)
        return false
      }
      // Below `reportFrom`, the difference wraps to a large number.
      stepOpen = digestEvery != 0 ? digest(frame, <u32>(pc - text), op, sp) : operation - reportFrom < reportCount
      operation++
      stepGas = gas
      isHidden = stepOpen && !isReported(op)
      if (isHidden) {
        stepOpen = false
        stepPc = pc
        stepSp = sp
        stepSize = size
      }
      // prettier-ignore
      if (stepOpen) host.step(<u32>(pc - text), op, gas, refund, frame.depth, sp, base, memory_, <u32>size, frame.selfAccount.address)
    }
    let row = rowOf(op)
    gas -= rowGas(row)
    if (gas < 0 || <i32>(base - sp) < rowNeed(row) || <i32>(sp - limit) < rowRoom(row)) {
      if (op == Fused.MARK) {
        pc = reachMark(text, pc, isCreate(frame))
        continue
      }
      if (op >= Fused.FIRST && op <= Fused.LAST) {
        // Perhaps its first operations still run: gas and reason are those of the one that fails.
        gas += rowGas(row)
        op = <i32>load<u8>(rawAt(frame, text, pc))
        row = rowOf(op)
        gas -= rowGas(row)
      }
      if (gas < 0 || <i32>(base - sp) < rowNeed(row) || <i32>(sp - limit) < rowRoom(row)) {
        halt = refusal(row, gas, <i32>(base - sp))
        op = Op.INVALID
      }
    }
    switch (op) {
      case Op.ADD:
        add(sp + 32, sp, sp + 32)
        sp += 32
        pc++
        continue
      case Op.MUL:
        mul(sp + 32, sp, sp + 32)
        sp += 32
        pc++
        continue
      case Op.SUB:
        sub(sp)
        sp += 32
        pc++
        continue
      case Op.DIV:
        div(sp)
        sp += 32
        pc++
        continue
      case Op.SDIV:
        sdiv(sp)
        sp += 32
        pc++
        continue
      case Op.MOD:
        mod(sp)
        sp += 32
        pc++
        continue
      case Op.SMOD:
        smod(sp)
        sp += 32
        pc++
        continue
      case Op.ADDMOD:
        addmod(sp)
        sp += 64
        pc++
        continue
      case Op.MULMOD:
        mulmod(sp)
        sp += 64
        pc++
        continue
      case Op.EXP:
        gas -= price(Price.EXP_BYTE) * byteLength(sp + 32)
        if (gas < 0) {
          halt = Halt.OUT_OF_GAS
          break
        }
        exp(sp)
        sp += 32
        pc++
        if (gas >= checkAt) continue
        halt = PAUSE_CHECK
        break
      case Op.SIGNEXTEND:
        signextend(sp)
        sp += 32
        pc++
        continue
      case Op.LT:
        setSmall(sp + 32, <u64>less(sp, sp + 32))
        sp += 32
        pc++
        continue
      case Op.GT:
        setSmall(sp + 32, <u64>less(sp + 32, sp))
        sp += 32
        pc++
        continue
      case Op.SLT:
        setSmall(sp + 32, <u64>signedLess(sp, sp + 32))
        sp += 32
        pc++
        continue
      case Op.SGT:
        setSmall(sp + 32, <u64>signedLess(sp + 32, sp))
        sp += 32
        pc++
        continue
      case Op.EQ:
        setSmall(sp + 32, <u64>equal(sp, sp + 32))
        sp += 32
        pc++
        continue
      case Op.ISZERO:
        setSmall(sp, <u64>isZero(sp))
        pc++
        continue
      case Op.AND:
        and(sp + 32, sp, sp + 32)
        sp += 32
        pc++
        continue
      case Op.OR:
        set(
          sp + 32,
          load<u64>(sp) | load<u64>(sp, 32),
          load<u64>(sp, 8) | load<u64>(sp, 40),
          load<u64>(sp, 16) | load<u64>(sp, 48),
          load<u64>(sp, 24) | load<u64>(sp, 56),
        )
        sp += 32
        pc++
        continue
      case Op.XOR:
        set(
          sp + 32,
          load<u64>(sp) ^ load<u64>(sp, 32),
          load<u64>(sp, 8) ^ load<u64>(sp, 40),
          load<u64>(sp, 16) ^ load<u64>(sp, 48),
          load<u64>(sp, 24) ^ load<u64>(sp, 56),
        )
        sp += 32
        pc++
        continue
      case Op.NOT:
        set(sp, ~load<u64>(sp), ~load<u64>(sp, 8), ~load<u64>(sp, 16), ~load<u64>(sp, 24))
        pc++
        continue
      case Op.BYTE:
        byte(sp)
        sp += 32
        pc++
        continue
      case Op.SHL:
        shl(sp)
        sp += 32
        pc++
        continue
      case Op.SHR:
        shr(sp)
        sp += 32
        pc++
        continue
      case Op.SAR:
        sar(sp)
        sp += 32
        pc++
        continue
      case Op.CLZ:
        countLeadingZeros(sp)
        pc++
        continue
      case Op.KECCAK256: {
        const end = rangeEnd(sp + 0, sp + 32)
        if (end > <u64>size) {
          gas = expand(gas, memory_, size, end)
          if (gas < 0) {
            halt = Halt.OUT_OF_GAS
            break
          }
          size = roundUp(end)
        }
        const count = <u32>load<u64>(sp, 32)
        gas -= price(Price.KECCAK_WORD) * wordsOf(count)
        if (gas < 0) {
          halt = Halt.OUT_OF_GAS
          break
        }
        const input: usize = count == 0 ? 0 : memory_ + <usize>load<u64>(sp)
        sp += 32
        if (count == 64) {
          keccakPair(input, sp)
          if (collecting) keepPreimage(sp, input)
        } else if (count <= PART) {
          keccak(input, count, sp)
        } else if (!keccakPart(input, count, sp)) {
          // The operation runs again for the next part, and is charged then.
          sp -= 32
          gas += rowGas(row) + price(Price.KECCAK_WORD) * wordsOf(count)
          halt = PAUSE_CHECK
          break
        }
        pc++
        if (gas >= checkAt) continue
        halt = PAUSE_CHECK
        break
      }
      case Op.ADDRESS:
        sp -= 32
        copy(sp, frame.selfAccount.address)
        pc++
        continue
      case Op.BALANCE: {
        markRead(Read.FEES)
        truncateToAddress(sp)
        const account = findAccount(sp)
        gas = access(account, gas)
        if (gas < 0) {
          halt = Halt.OUT_OF_GAS
          break
        }
        copy(sp, account.balance)
        pc++
        if (gas >= checkAt) continue
        halt = PAUSE_CHECK
        break
      }
      case Op.ORIGIN:
        sp -= 32
        copy(sp, ORIGIN)
        pc++
        continue
      case Op.CALLER:
        sp -= 32
        copy(sp, frame.callerAccount.address)
        pc++
        continue
      case Op.CALLVALUE:
        sp -= 32
        copy(sp, frame.value)
        pc++
        continue
      case Op.CALLDATALOAD: {
        const length = frame.inputLength
        const offset = clampOffset(sp, length)
        if (offset + 32 <= length) {
          fromBytes(sp, frame.input + offset)
        } else {
          copyPadded(SCRATCH, frame.input, length, offset, 32)
          fromBytes(sp, SCRATCH)
        }
        pc++
        continue
      }
      case Op.CALLDATASIZE:
        sp -= 32
        setSmall(sp, <u64>frame.inputLength)
        pc++
        continue
      case Op.CALLDATACOPY: {
        const end = rangeEnd(sp + 0, sp + 64)
        if (end > <u64>size) {
          gas = expand(gas, memory_, size, end)
          if (gas < 0) {
            halt = Halt.OUT_OF_GAS
            break
          }
          size = roundUp(end)
        }
        const count = <u32>load<u64>(sp, 64)
        gas -= price(Price.COPY_WORD) * wordsOf(count)
        if (gas < 0) {
          halt = Halt.OUT_OF_GAS
          break
        }
        if (count != 0) {
          const length = frame.inputLength
          copyPadded(memory_ + <usize>load<u64>(sp, 0), frame.input, length, clampOffset(sp + 32, length), count)
        }
        sp += 96
        pc++
        if (gas >= checkAt) continue
        halt = PAUSE_CHECK
        break
      }
      case Op.CODESIZE:
        sp -= 32
        setSmall(sp, <u64>frame.codeLength)
        pc++
        continue
      case Op.CODECOPY: {
        const end = rangeEnd(sp + 0, sp + 64)
        if (end > <u64>size) {
          gas = expand(gas, memory_, size, end)
          if (gas < 0) {
            halt = Halt.OUT_OF_GAS
            break
          }
          size = roundUp(end)
        }
        const count = <u32>load<u64>(sp, 64)
        gas -= price(Price.COPY_WORD) * wordsOf(count)
        if (gas < 0) {
          halt = Halt.OUT_OF_GAS
          break
        }
        if (count != 0) {
          const length = frame.codeLength
          copyPadded(memory_ + <usize>load<u64>(sp, 0), frame.raw, length, clampOffset(sp + 32, length), count)
        }
        sp += 96
        pc++
        if (gas >= checkAt) continue
        halt = PAUSE_CHECK
        break
      }
      case Op.GASPRICE:
        markRead(Read.FEES)
        sp -= 32
        copy(sp, GAS_PRICE)
        pc++
        continue
      case Op.EXTCODESIZE: {
        truncateToAddress(sp)
        const account = findAccount(sp)
        gas = access(account, gas)
        if (gas < 0) {
          halt = Halt.OUT_OF_GAS
          break
        }
        setSmall(sp, <u64>codeOf(account).length)
        pc++
        if (gas >= checkAt) continue
        halt = PAUSE_CHECK
        break
      }
      case Op.EXTCODECOPY: {
        truncateToAddress(sp)
        const account = findAccount(sp)
        gas = access(account, gas)
        if (gas < 0) {
          halt = Halt.OUT_OF_GAS
          break
        }
        const code = codeOf(account)
        const end = rangeEnd(sp + 32, sp + 96)
        if (end > <u64>size) {
          gas = expand(gas, memory_, size, end)
          if (gas < 0) {
            halt = Halt.OUT_OF_GAS
            break
          }
          size = roundUp(end)
        }
        const count = <u32>load<u64>(sp, 96)
        gas -= price(Price.COPY_WORD) * wordsOf(count)
        if (gas < 0) {
          halt = Halt.OUT_OF_GAS
          break
        }
        if (count != 0) {
          const length = code.length
          copyPadded(memory_ + <usize>load<u64>(sp, 32), code.raw, length, clampOffset(sp + 64, length), count)
        }
        sp += 128
        pc++
        if (gas >= checkAt) continue
        halt = PAUSE_CHECK
        break
      }
      case Op.RETURNDATASIZE:
        sp -= 32
        setSmall(sp, <u64>returnLength)
        pc++
        continue
      case Op.RETURNDATACOPY: {
        if (!isSmall(sp + 32) || !isSmall(sp + 64) || isPast(load<u64>(sp, 32), load<u64>(sp, 64), returnLength)) {
          halt = Halt.RETURN_DATA_OUT_OF_BOUNDS
          break
        }
        const end = rangeEnd(sp + 0, sp + 64)
        if (end > <u64>size) {
          gas = expand(gas, memory_, size, end)
          if (gas < 0) {
            halt = Halt.OUT_OF_GAS
            break
          }
          size = roundUp(end)
        }
        const count = <u32>load<u64>(sp, 64)
        gas -= price(Price.COPY_WORD) * wordsOf(count)
        if (gas < 0) {
          halt = Halt.OUT_OF_GAS
          break
        }
        if (count != 0) {
          const length = returnLength
          copyPadded(memory_ + <usize>load<u64>(sp, 0), RETURN_DATA, length, clampOffset(sp + 32, length), count)
        }
        sp += 96
        pc++
        if (gas >= checkAt) continue
        halt = PAUSE_CHECK
        break
      }
      case Op.EXTCODEHASH: {
        markRead(Read.FEES)
        truncateToAddress(sp)
        const account = findAccount(sp)
        gas = access(account, gas)
        if (gas < 0) {
          halt = Halt.OUT_OF_GAS
          break
        }
        if (isEmpty(account)) setSmall(sp, 0)
        else copy(sp, account.codeHash)
        pc++
        if (gas >= checkAt) continue
        halt = PAUSE_CHECK
        break
      }
      case Op.BLOCKHASH:
        blockHash(sp)
        pc++
        if (gas >= checkAt) continue
        halt = PAUSE_CHECK
        break
      case Op.COINBASE:
        markRead(Read.COINBASE)
        sp -= 32
        copy(sp, COINBASE)
        pc++
        continue
      case Op.TIMESTAMP:
        markRead(Read.TIMESTAMP)
        sp -= 32
        copy(sp, TIMESTAMP)
        pc++
        continue
      case Op.NUMBER:
        markRead(Read.NUMBER)
        sp -= 32
        copy(sp, NUMBER)
        pc++
        continue
      case Op.PREVRANDAO:
        markRead(Read.PREV_RANDAO)
        sp -= 32
        copy(sp, PREV_RANDAO)
        pc++
        continue
      case Op.GASLIMIT:
        markRead(Read.GAS_LIMIT)
        sp -= 32
        copy(sp, GAS_LIMIT)
        pc++
        continue
      case Op.CHAINID:
        sp -= 32
        copy(sp, CHAIN_ID)
        pc++
        continue
      case Op.SELFBALANCE:
        sp -= 32
        copy(sp, frame.selfAccount.balance)
        pc++
        continue
      case Op.BASEFEE:
        markRead(Read.BASE_FEE)
        sp -= 32
        copy(sp, BASE_FEE)
        pc++
        continue
      case Op.BLOBBASEFEE:
        markRead(Read.BLOB_BASE_FEE)
        sp -= 32
        copy(sp, BLOB_BASE_FEE)
        pc++
        continue
      case Op.SLOTNUM:
        markRead(Read.SLOT_NUMBER)
        sp -= 32
        copy(sp, SLOT_NUMBER)
        pc++
        continue
      case Op.BLOBHASH:
        if (isSmall(sp) && load<u64>(sp) < <u64>blobHashCount) copy(sp, BLOB_HASHES + (<usize>load<u64>(sp) << 5))
        else setSmall(sp, 0)
        pc++
        continue
      case Op.POP:
        sp += 32
        pc++
        continue
      case Op.MLOAD: {
        const offset = load<u64>(sp)
        if (!isSmall(sp) || offset > MAX_FRAME_MEMORY) {
          halt = Halt.OUT_OF_GAS
          break
        }
        const end = offset + 32
        if (end > <u64>size) {
          gas = expand(gas, memory_, size, end)
          if (gas < 0) {
            halt = Halt.OUT_OF_GAS
            break
          }
          size = roundUp(end)
        }
        fromBytes(sp, memory_ + <usize>offset)
        pc++
        continue
      }
      case Op.MSTORE: {
        const offset = load<u64>(sp)
        if (!isSmall(sp) || offset > MAX_FRAME_MEMORY) {
          halt = Halt.OUT_OF_GAS
          break
        }
        const end = offset + 32
        if (end > <u64>size) {
          gas = expand(gas, memory_, size, end)
          if (gas < 0) {
            halt = Halt.OUT_OF_GAS
            break
          }
          size = roundUp(end)
        }
        toBytes(memory_ + <usize>offset, sp + 32)
        sp += 64
        pc++
        continue
      }
      case Op.MSTORE8: {
        const offset = load<u64>(sp)
        if (!isSmall(sp) || offset > MAX_FRAME_MEMORY) {
          halt = Halt.OUT_OF_GAS
          break
        }
        const end = offset + 1
        if (end > <u64>size) {
          gas = expand(gas, memory_, size, end)
          if (gas < 0) {
            halt = Halt.OUT_OF_GAS
            break
          }
          size = roundUp(end)
        }
        store<u8>(memory_ + <usize>offset, <u8>load<u64>(sp, 32))
        sp += 64
        pc++
        continue
      }
      case Op.SLOAD:
        gas = sload(frame.selfAccount, sp, gas)
        if (gas < 0) {
          halt = Halt.OUT_OF_GAS
          break
        }
        pc++
        if (gas >= checkAt) continue
        halt = PAUSE_CHECK
        break
      case Op.SSTORE:
        if (frame.isStatic) {
          halt = Halt.WRITE_PROTECTION
          break
        }
        if (gas <= price(Price.CALL_STIPEND)) {
          halt = Halt.OUT_OF_GAS
          break
        }
        gas = sstore(frame, sp, gas)
        if (gas < 0) {
          halt = Halt.OUT_OF_GAS
          break
        }
        sp += 64
        pc++
        if (gas >= checkAt) continue
        halt = PAUSE_CHECK
        break
      case Op.JUMP: {
        const target = load<u64>(sp)
        if (!isSmall(sp) || !isJumpDestination(frame, target)) {
          halt = Halt.INVALID_JUMP
          break
        }
        sp += 32
        pc = text + <usize>target
        if (passesTarget(pc, gas, checkAt)) {
          pc++
          gas--
        }
        continue
      }
      case Op.JUMPI: {
        if (isZero(sp + 32)) {
          pc++
        } else {
          const target = load<u64>(sp)
          if (!isSmall(sp) || !isJumpDestination(frame, target)) {
            halt = Halt.INVALID_JUMP
            break
          }
          pc = text + <usize>target
          if (passesTarget(pc, gas, checkAt)) {
            pc++
            gas--
          }
        }
        sp += 64
        continue
      }
      case Op.PC:
        sp -= 32
        setSmall(sp, <u64>(pc - text))
        pc++
        continue
      case Op.MSIZE:
        sp -= 32
        setSmall(sp, <u64>size)
        pc++
        continue
      case Op.GAS:
        sp -= 32
        setSmall(sp, <u64>gas)
        pc++
        continue
      case Op.JUMPDEST:
        pc++
        if (gas >= checkAt) continue
        halt = PAUSE_CHECK
        break
      case Op.TLOAD:
        tload(frame.selfAccount, sp)
        pc++
        continue
      case Op.TSTORE:
        if (frame.isStatic) {
          halt = Halt.WRITE_PROTECTION
          break
        }
        tstore(frame.selfAccount, sp)
        sp += 64
        pc++
        if (gas >= checkAt) continue
        halt = PAUSE_CHECK
        break
      case Op.MCOPY: {
        const toEnd = rangeEnd(sp, sp + 64)
        const fromEnd = rangeEnd(sp + 32, sp + 64)
        const end = toEnd > fromEnd ? toEnd : fromEnd
        if (end > <u64>size) {
          gas = expand(gas, memory_, size, end)
          if (gas < 0) {
            halt = Halt.OUT_OF_GAS
            break
          }
          size = roundUp(end)
        }
        const count = <u32>load<u64>(sp, 64)
        gas -= price(Price.COPY_WORD) * wordsOf(count)
        if (gas < 0) {
          halt = Halt.OUT_OF_GAS
          break
        }
        if (count != 0) memory.copy(memory_ + <usize>load<u64>(sp), memory_ + <usize>load<u64>(sp, 32), count)
        sp += 96
        pc++
        if (gas >= checkAt) continue
        halt = PAUSE_CHECK
        break
      }
      case Op.PUSH0:
        sp -= 32
        setSmall(sp, 0)
        pc++
        continue
      case 0x60: // PUSH1
        sp -= 32
        set(sp, <u64>load<u8>(pc, 1), 0, 0, 0)
        pc += 2
        continue
      case 0x61: // PUSH2
        sp -= 32
        set(sp, <u64>load<u16>(pc, 1), 0, 0, 0)
        pc += 3
        continue
      case 0x62: // PUSH3
        sp -= 32
        set(sp, load<u64>(pc, 1) & 0xffffff, 0, 0, 0)
        pc += 4
        continue
      case 0x63: // PUSH4
        sp -= 32
        set(sp, <u64>load<u32>(pc, 1), 0, 0, 0)
        pc += 5
        continue
      case 0x64: // PUSH5
        sp -= 32
        set(sp, load<u64>(pc, 1) & 0xffffffffff, 0, 0, 0)
        pc += 6
        continue
      case 0x65: // PUSH6
        sp -= 32
        set(sp, load<u64>(pc, 1) & 0xffffffffffff, 0, 0, 0)
        pc += 7
        continue
      case 0x66: // PUSH7
        sp -= 32
        set(sp, load<u64>(pc, 1) & 0xffffffffffffff, 0, 0, 0)
        pc += 8
        continue
      case 0x67: // PUSH8
        sp -= 32
        set(sp, load<u64>(pc, 1), 0, 0, 0)
        pc += 9
        continue
      case 0x68: // PUSH9
        sp -= 32
        set(sp, load<u64>(pc, 1), <u64>load<u8>(pc, 9), 0, 0)
        pc += 10
        continue
      case 0x69: // PUSH10
        sp -= 32
        set(sp, load<u64>(pc, 1), <u64>load<u16>(pc, 9), 0, 0)
        pc += 11
        continue
      case 0x6a: // PUSH11
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9) & 0xffffff, 0, 0)
        pc += 12
        continue
      case 0x6b: // PUSH12
        sp -= 32
        set(sp, load<u64>(pc, 1), <u64>load<u32>(pc, 9), 0, 0)
        pc += 13
        continue
      case 0x6c: // PUSH13
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9) & 0xffffffffff, 0, 0)
        pc += 14
        continue
      case 0x6d: // PUSH14
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9) & 0xffffffffffff, 0, 0)
        pc += 15
        continue
      case 0x6e: // PUSH15
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9) & 0xffffffffffffff, 0, 0)
        pc += 16
        continue
      case 0x6f: // PUSH16
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9), 0, 0)
        pc += 17
        continue
      case 0x70: // PUSH17
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9), <u64>load<u8>(pc, 17), 0)
        pc += 18
        continue
      case 0x71: // PUSH18
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9), <u64>load<u16>(pc, 17), 0)
        pc += 19
        continue
      case 0x72: // PUSH19
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9), load<u64>(pc, 17) & 0xffffff, 0)
        pc += 20
        continue
      case 0x73: // PUSH20
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9), <u64>load<u32>(pc, 17), 0)
        pc += 21
        continue
      case 0x74: // PUSH21
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9), load<u64>(pc, 17) & 0xffffffffff, 0)
        pc += 22
        continue
      case 0x75: // PUSH22
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9), load<u64>(pc, 17) & 0xffffffffffff, 0)
        pc += 23
        continue
      case 0x76: // PUSH23
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9), load<u64>(pc, 17) & 0xffffffffffffff, 0)
        pc += 24
        continue
      case 0x77: // PUSH24
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9), load<u64>(pc, 17), 0)
        pc += 25
        continue
      case 0x78: // PUSH25
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9), load<u64>(pc, 17), <u64>load<u8>(pc, 25))
        pc += 26
        continue
      case 0x79: // PUSH26
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9), load<u64>(pc, 17), <u64>load<u16>(pc, 25))
        pc += 27
        continue
      case 0x7a: // PUSH27
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9), load<u64>(pc, 17), load<u64>(pc, 25) & 0xffffff)
        pc += 28
        continue
      case 0x7b: // PUSH28
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9), load<u64>(pc, 17), <u64>load<u32>(pc, 25))
        pc += 29
        continue
      case 0x7c: // PUSH29
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9), load<u64>(pc, 17), load<u64>(pc, 25) & 0xffffffffff)
        pc += 30
        continue
      case 0x7d: // PUSH30
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9), load<u64>(pc, 17), load<u64>(pc, 25) & 0xffffffffffff)
        pc += 31
        continue
      case 0x7e: // PUSH31
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9), load<u64>(pc, 17), load<u64>(pc, 25) & 0xffffffffffffff)
        pc += 32
        continue
      case 0x7f: // PUSH32
        sp -= 32
        set(sp, load<u64>(pc, 1), load<u64>(pc, 9), load<u64>(pc, 17), load<u64>(pc, 25))
        pc += 33
        continue
      case 0x80: // DUP1
        sp -= 32
        copy(sp, sp + 32)
        pc++
        continue
      case 0x81: // DUP2
        sp -= 32
        copy(sp, sp + 64)
        pc++
        continue
      case 0x82: // DUP3
        sp -= 32
        copy(sp, sp + 96)
        pc++
        continue
      case 0x83: // DUP4
        sp -= 32
        copy(sp, sp + 128)
        pc++
        continue
      case 0x84: // DUP5
        sp -= 32
        copy(sp, sp + 160)
        pc++
        continue
      case 0x85: // DUP6
        sp -= 32
        copy(sp, sp + 192)
        pc++
        continue
      case 0x86: // DUP7
        sp -= 32
        copy(sp, sp + 224)
        pc++
        continue
      case 0x87: // DUP8
        sp -= 32
        copy(sp, sp + 256)
        pc++
        continue
      case 0x88: // DUP9
        sp -= 32
        copy(sp, sp + 288)
        pc++
        continue
      case 0x89: // DUP10
        sp -= 32
        copy(sp, sp + 320)
        pc++
        continue
      case 0x8a: // DUP11
        sp -= 32
        copy(sp, sp + 352)
        pc++
        continue
      case 0x8b: // DUP12
        sp -= 32
        copy(sp, sp + 384)
        pc++
        continue
      case 0x8c: // DUP13
        sp -= 32
        copy(sp, sp + 416)
        pc++
        continue
      case 0x8d: // DUP14
        sp -= 32
        copy(sp, sp + 448)
        pc++
        continue
      case 0x8e: // DUP15
        sp -= 32
        copy(sp, sp + 480)
        pc++
        continue
      case 0x8f: // DUP16
        sp -= 32
        copy(sp, sp + 512)
        pc++
        continue
      case 0x90: // SWAP1
        exchange(sp, sp + 32)
        pc++
        continue
      case 0x91: // SWAP2
        exchange(sp, sp + 64)
        pc++
        continue
      case 0x92: // SWAP3
        exchange(sp, sp + 96)
        pc++
        continue
      case 0x93: // SWAP4
        exchange(sp, sp + 128)
        pc++
        continue
      case 0x94: // SWAP5
        exchange(sp, sp + 160)
        pc++
        continue
      case 0x95: // SWAP6
        exchange(sp, sp + 192)
        pc++
        continue
      case 0x96: // SWAP7
        exchange(sp, sp + 224)
        pc++
        continue
      case 0x97: // SWAP8
        exchange(sp, sp + 256)
        pc++
        continue
      case 0x98: // SWAP9
        exchange(sp, sp + 288)
        pc++
        continue
      case 0x99: // SWAP10
        exchange(sp, sp + 320)
        pc++
        continue
      case 0x9a: // SWAP11
        exchange(sp, sp + 352)
        pc++
        continue
      case 0x9b: // SWAP12
        exchange(sp, sp + 384)
        pc++
        continue
      case 0x9c: // SWAP13
        exchange(sp, sp + 416)
        pc++
        continue
      case 0x9d: // SWAP14
        exchange(sp, sp + 448)
        pc++
        continue
      case 0x9e: // SWAP15
        exchange(sp, sp + 480)
        pc++
        continue
      case 0x9f: // SWAP16
        exchange(sp, sp + 512)
        pc++
        continue
      case Op.DUPN: {
        const n = depthOf(immediate(frame, pc - text))
        if (n == 0) {
          halt = Halt.INVALID_OPCODE
          break
        }
        if (base - sp < n) {
          halt = Halt.STACK_UNDERFLOW
          break
        }
        sp -= 32
        copy(sp, sp + n)
        pc += 2
        continue
      }
      case Op.SWAPN: {
        const n = depthOf(immediate(frame, pc - text))
        if (n == 0) {
          halt = Halt.INVALID_OPCODE
          break
        }
        if (base - sp < n + 32) {
          halt = Halt.STACK_UNDERFLOW
          break
        }
        exchange(sp, sp + n)
        pc += 2
        continue
      }
      case Op.EXCHANGE: {
        const x = immediate(frame, pc - text)
        if (x > 81 && x < 128) {
          halt = Halt.INVALID_OPCODE
          break
        }
        const k: usize = x ^ 143
        const q = k >> 4
        const r = k & 15
        const n = (q < r ? q + 1 : r + 1) << 5
        const m = (q < r ? r + 1 : 29 - q) << 5
        if (base - sp < (n > m ? n : m) + 32) {
          halt = Halt.STACK_UNDERFLOW
          break
        }
        exchange(sp + n, sp + m)
        pc += 2
        continue
      }
      case 0xa0: // LOG0
      case 0xa1: // LOG1
      case 0xa2: // LOG2
      case 0xa3: // LOG3
      case 0xa4: { // LOG4
        if (frame.isStatic) {
          halt = Halt.WRITE_PROTECTION
          break
        }
        const end = rangeEnd(sp + 0, sp + 32)
        if (end > <u64>size) {
          gas = expand(gas, memory_, size, end)
          if (gas < 0) {
            halt = Halt.OUT_OF_GAS
            break
          }
          size = roundUp(end)
        }
        const count = <u32>load<u64>(sp, 32)
        gas -= price(Price.LOG_BYTE) * <i64>count
        if (gas < 0) {
          halt = Halt.OUT_OF_GAS
          break
        }
        const topics = <u32>(op - Op.LOG0)
        const data: usize = count == 0 ? 0 : memory_ + <usize>load<u64>(sp)
        appendLog(frame.self, topics, sp + 64, data, count)
        sp += 64 + (topics << 5)
        pc++
        if (gas >= checkAt) continue
        halt = PAUSE_CHECK
        break
      }
      case Op.CREATE:
      case Op.CREATE2:
      case Op.CALL:
      case Op.CALLCODE:
      case Op.DELEGATECALL:
      case Op.STATICCALL: {
        const left = gas - checkAt
        pause(frame, pc + 1, sp, size, gas)
        const begun = op == Op.CREATE || op == Op.CREATE2 ? beginCreate(frame, op) : beginCall(frame, op)
        gas = frame.gas
        size = frame.memorySize
        if (begun == 0) {
          halt = frame.halt
          break
        }
        if (TRACING) {
          if (stepOpen) host.stepDone(stepGas - gas, 0)
          stepOpen = false
        }
        const child = changetype<Frame>(begun)
        if (child.text == 0) {
          if (pending != 0) return false
          endFrame(child)
          resumeParent(frame, child)
          sp = frame.sp
          gas = frame.gas
          pc++
          checkAt += CALL_WORK + takeExtraWork()
        } else {
          frame = child
          base = frame.base
          sp = base
          limit = base - STACK_BYTES
          memory_ = frame.memory
          size = 0
          text = frame.text
          pc = text
          gas = frame.gas
          checkAt = gas - left + CALL_WORK + takeExtraWork()
        }
        if (gas >= checkAt) continue
        halt = PAUSE_CHECK
        break
      }
      case Op.RETURN:
      case Op.REVERT: {
        const end = rangeEnd(sp + 0, sp + 32)
        if (end > <u64>size) {
          gas = expand(gas, memory_, size, end)
          if (gas < 0) {
            halt = Halt.OUT_OF_GAS
            break
          }
          size = roundUp(end)
        }
        const count = <u32>load<u64>(sp, 32)
        if (count != 0) copyBytes(RETURN_DATA, memory_ + <usize>load<u64>(sp), count)
        setReturnLength(count)
        halt = op == Op.RETURN ? Halt.NONE : Halt.REVERT
        break
      }
      case Op.STOP:
        setReturnLength(0)
        halt = Halt.NONE
        break
      case Op.SELFDESTRUCT:
        if (frame.isStatic) {
          halt = Halt.WRITE_PROTECTION
          break
        }
        gas = selfdestruct(frame, sp, gas)
        setReturnLength(0)
        halt = gas < 0 ? Halt.OUT_OF_GAS : Halt.NONE
        break
      case Fused.PUSH2_JUMP:
        pc = text + <usize>load<u16>(pc, 1)
        if (passesTarget(pc, gas, checkAt)) {
          pc++
          gas--
        }
        continue
      case Fused.ADD_PUSH2_JUMP:
        add(sp + 32, sp, sp + 32)
        sp += 32
        pc = text + <usize>load<u16>(pc, 2)
        if (passesTarget(pc, gas, checkAt)) {
          pc++
          gas--
        }
        continue
      case Fused.POP_JUMP: {
        const target = load<u64>(sp, 32)
        if (!isSmall(sp + 32) || !isJumpDestination(frame, target)) {
          halt = Halt.INVALID_JUMP
          break
        }
        sp += 64
        pc = text + <usize>target
        if (passesTarget(pc, gas, checkAt)) {
          pc++
          gas--
        }
        continue
      }
      case Fused.PUSH2_JUMPI: {
        const jumps = !isZero(sp)
        sp += 32
        if (!jumps) {
          pc += 4
          continue
        }
        pc = text + <usize>load<u16>(pc, 1)
        if (passesTarget(pc, gas, checkAt)) {
          pc++
          gas--
        }
        continue
      }
      case Fused.ISZERO_JUMPI: {
        const jumps = isZero(sp)
        sp += 32
        if (!jumps) {
          pc += 5
          continue
        }
        pc = text + <usize>load<u16>(pc, 2)
        if (passesTarget(pc, gas, checkAt)) {
          pc++
          gas--
        }
        continue
      }
      case Fused.LT_JUMPI: {
        const jumps = less(sp, sp + 32)
        sp += 64
        if (!jumps) {
          pc += 5
          continue
        }
        pc = text + <usize>load<u16>(pc, 2)
        if (passesTarget(pc, gas, checkAt)) {
          pc++
          gas--
        }
        continue
      }
      case Fused.GT_JUMPI: {
        const jumps = less(sp + 32, sp)
        sp += 64
        if (!jumps) {
          pc += 5
          continue
        }
        pc = text + <usize>load<u16>(pc, 2)
        if (passesTarget(pc, gas, checkAt)) {
          pc++
          gas--
        }
        continue
      }
      case Fused.EQ_JUMPI: {
        const jumps = equal(sp, sp + 32)
        sp += 64
        if (!jumps) {
          pc += 5
          continue
        }
        pc = text + <usize>load<u16>(pc, 2)
        if (passesTarget(pc, gas, checkAt)) {
          pc++
          gas--
        }
        continue
      }
      case Fused.LT_ISZERO_JUMPI: {
        const jumps = !less(sp, sp + 32)
        sp += 64
        if (!jumps) {
          pc += 6
          continue
        }
        pc = text + <usize>load<u16>(pc, 3)
        if (passesTarget(pc, gas, checkAt)) {
          pc++
          gas--
        }
        continue
      }
      case Fused.GT_ISZERO_JUMPI: {
        const jumps = !less(sp + 32, sp)
        sp += 64
        if (!jumps) {
          pc += 6
          continue
        }
        pc = text + <usize>load<u16>(pc, 3)
        if (passesTarget(pc, gas, checkAt)) {
          pc++
          gas--
        }
        continue
      }
      case Fused.DUP1_ISZERO_JUMPI:
        if (!(isZero(sp))) {
          pc += 6
          continue
        }
        pc = text + <usize>load<u16>(pc, 3)
        if (passesTarget(pc, gas, checkAt)) {
          pc++
          gas--
        }
        continue
      case Fused.DUP1_PUSH4_EQ_JUMPI:
        if (!(isSmall(sp) && load<u64>(sp) == <u64>load<u32>(pc, 2))) {
          pc += 11
          continue
        }
        pc = text + <usize>load<u16>(pc, 8)
        if (passesTarget(pc, gas, checkAt)) {
          pc++
          gas--
        }
        continue
      case Fused.PUSH1_ADD:
        addSmall(sp, <u64>load<u8>(pc, 1))
        pc += 3
        continue
      case Fused.PUSH1_MLOAD: {
        const offset = <u64>load<u8>(pc, 1)
        const end = offset + 32
        if (end > <u64>size) {
          gas = expand(gas, memory_, size, end)
          if (gas < 0) {
            halt = Halt.OUT_OF_GAS
            break
          }
          size = roundUp(end)
        }
        sp -= 32
        fromBytes(sp, memory_ + <usize>offset)
        pc += 3
        continue
      }
      case Fused.PUSH1_MSTORE: {
        const offset = <u64>load<u8>(pc, 1)
        const end = offset + 32
        if (end > <u64>size) {
          gas = expand(gas, memory_, size, end)
          if (gas < 0) {
            halt = Halt.OUT_OF_GAS
            break
          }
          size = roundUp(end)
        }
        toBytes(memory_ + <usize>offset, sp)
        sp += 32
        pc += 3
        continue
      }
      case Fused.PUSH1_SHL:
        shiftLeft(sp, <u64>load<u8>(pc, 1))
        pc += 3
        continue
      case Fused.PUSH1_SHR:
        shiftRight(sp, <u64>load<u8>(pc, 1))
        pc += 3
        continue
      case Fused.PUSH1_PUSH1:
        sp -= 64
        setSmall(sp + 32, <u64>load<u8>(pc, 1))
        setSmall(sp, <u64>load<u8>(pc, 3))
        pc += 4
        continue
      case Fused.MASK:
        sp -= 32
        setMask(sp, <u64>load<u8>(pc, 5))
        pc += 8
        continue
      case Fused.MASK_AND:
        maskTo(sp, sp, <u64>load<u8>(pc, 5))
        pc += 9
        continue
      case Fused.MASK_DUP_AND: {
        // The mask is on top when DUP runs.
        const n = dupDepth(pc + 8)
        if (base - sp < n - 32) {
          halt = Halt.STACK_UNDERFLOW
          break
        }
        sp -= 32
        if (n == 32) setMask(sp, <u64>load<u8>(pc, 5))
        else maskTo(sp, sp + n - 32, <u64>load<u8>(pc, 5))
        pc += 10
        continue
      }
      case Fused.PUSH1_DUP: {
        const n = dupDepth(pc + 2)
        if (base - sp < n - 32) {
          halt = Halt.STACK_UNDERFLOW
          break
        }
        sp -= 64
        setSmall(sp + 32, <u64>load<u8>(pc, 1))
        copy(sp, sp + n)
        pc += 3
        continue
      }
      case Fused.DUP_AND: {
        const n = dupDepth(rawAt(frame, text, pc))
        if (base - sp < n) {
          halt = Halt.STACK_UNDERFLOW
          break
        }
        and(sp, sp, sp + n - 32)
        pc += 2
        continue
      }
      case Fused.DUP_ADD: {
        const n = dupDepth(rawAt(frame, text, pc))
        if (base - sp < n) {
          halt = Halt.STACK_UNDERFLOW
          break
        }
        add(sp, sp, sp + n - 32)
        pc += 2
        continue
      }
      case Fused.DUP_MSTORE: {
        const n = dupDepth(rawAt(frame, text, pc))
        if (base - sp < n) {
          halt = Halt.STACK_UNDERFLOW
          break
        }
        const operand = sp + n - 32
        const offset = load<u64>(operand)
        if (!isSmall(operand) || offset > MAX_FRAME_MEMORY) {
          halt = Halt.OUT_OF_GAS
          break
        }
        const end = offset + 32
        if (end > <u64>size) {
          gas = expand(gas, memory_, size, end)
          if (gas < 0) {
            halt = Halt.OUT_OF_GAS
            break
          }
          size = roundUp(end)
        }
        toBytes(memory_ + <usize>offset, sp)
        sp += 32
        pc += 2
        continue
      }
      case Fused.DUP_DUP: {
        const n = dupDepth(rawAt(frame, text, pc))
        const m = dupDepth(pc + 1)
        if (base - sp < n || base - sp + 32 < m) {
          halt = Halt.STACK_UNDERFLOW
          break
        }
        sp -= 64
        copy(sp + 32, sp + 32 + n)
        copy(sp, sp + m)
        pc += 2
        continue
      }
      case Fused.SWAP1_DUP: {
        const n = dupDepth(pc + 1)
        if (base - sp < n) {
          halt = Halt.STACK_UNDERFLOW
          break
        }
        exchange(sp, sp + 32)
        sp -= 32
        copy(sp, sp + n)
        pc += 2
        continue
      }
      case Fused.SWAP_SWAP: {
        const n = swapDepth(rawAt(frame, text, pc))
        const m = swapDepth(pc + 1)
        if (base - sp < n + 32 || base - sp < m + 32) {
          halt = Halt.STACK_UNDERFLOW
          break
        }
        exchange(sp, sp + n)
        exchange(sp, sp + m)
        pc += 2
        continue
      }
      case Fused.SWAP_POP: {
        const n = swapDepth(rawAt(frame, text, pc))
        if (base - sp < n + 32) {
          halt = Halt.STACK_UNDERFLOW
          break
        }
        copy(sp + n, sp)
        sp += 32
        pc += 2
        continue
      }
      case Fused.POP_POP_POP:
        sp += 96
        pc += 3
        continue
      case Fused.POP_POP:
        sp += 64
        pc += 2
        continue
      default:
        if (halt == Halt.NONE) halt = Halt.INVALID_OPCODE
        break
    }

    if (halt != PAUSE_CHECK) {
      // The frame ended.
      if (TRACING) {
        if (isHidden && halt != Halt.NONE && halt != Halt.REVERT) {
          stepOpen = true
          // prettier-ignore
          host.step(<u32>(stepPc - text), load<u8>(stepPc), stepGas, refund, frame.depth, stepSp, base, memory_, <u32>stepSize, frame.selfAccount.address)
        }
        if (stepOpen) host.stepDone(stepGas - gas, halt)
        stepOpen = false
        isHidden = false
      }
      frame.halt = halt
      frame.gas = gas
      halt = Halt.NONE
      if (frame === FIRST_FRAME) return true
      const left = gas - checkAt
      const child = frame
      frame = parentOf(frame)
      endFrame(child)
      resumeParent(frame, child)
      base = frame.base
      sp = frame.sp
      limit = base - STACK_BYTES
      memory_ = frame.memory
      size = frame.memorySize
      text = frame.text
      pc = frame.pc
      gas = frame.gas
      checkAt = gas - left + takeExtraWork()
      if (gas >= checkAt) continue
    }
    halt = Halt.NONE
    if (host.pauseCheck()) {
      if (TRACING && stepOpen && absorbed == 0) host.stepDone(stepGas - gas, 0)
      hashGas = stepGas
      pause(frame, pc, sp, size, gas)
      return false
    }
    checkAt = gas - checkInterval
  }
  // Not reached: the compiler does not see that the loop has no other end.
  return true
}

/** Stores the registers in the frame, which continues from there when another frame has ended or the message is resumed. */
@inline
function pause(frame: Frame, pc: usize, sp: usize, size: usize, gas: i64): void {
  frame.pc = <u32>pc
  frame.sp = <u32>sp
  frame.memorySize = <u32>size
  frame.gas = gas
  pausedFrame = frame
}
