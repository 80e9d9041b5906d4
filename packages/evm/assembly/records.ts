// Records of calls and creates, always on: fixed-size records in the order of entry, and the bytes that they point to. When a
// run makes more of them than fit, the rest is left out and `recordsTruncated` says so.
import { addExtraWork, COPY_BITS } from './extraWork'
import { copyBytes } from './words/bytes'
import { RECORD_BYTES, RECORD_BYTES_END, RECORDS, RECORDS_END } from './layout'
import { copy, set } from './words/words'

/** In the order of the host's list (src/callFrames.ts). */
export const enum CallType {
  CALL = 0,
  STATICCALL = 1,
  DELEGATECALL = 2,
  CALLCODE = 3,
  CREATE = 4,
  CREATE2 = 5,
  SELFDESTRUCT = 6,
}

@unmanaged
export class CallRecord {
  type: i32
  depth: u32
  halt: i32
  logStart: u32
  logEnd: u32
  input: u32
  inputLength: u32
  output: u32
  outputLength: u32
  padding: u32
  gas: i64
  gasUsed: i64
  from0: u64
  from1: u64
  from2: u64
  from3: u64
  to0: u64
  to1: u64
  to2: u64
  to3: u64
  value0: u64
  value1: u64
  value2: u64
  value3: u64

  @inline get from(): usize {
    return changetype<usize>(this) + offsetof<CallRecord>('from0')
  }
  @inline get to(): usize {
    return changetype<usize>(this) + offsetof<CallRecord>('to0')
  }
  @inline get value(): usize {
    return changetype<usize>(this) + offsetof<CallRecord>('value0')
  }
}

export let recordsEnd: usize = RECORDS
export let recordBytesEnd: usize = RECORD_BYTES
export let recordsTruncated: bool = false
/** Whether a call went to where contracts log: `console.log` of Hardhat and forge-std. */
export let consoleCalled: bool = false

export function clearRecords(): void {
  recordsEnd = RECORDS
  recordBytesEnd = RECORD_BYTES
  recordsTruncated = false
  consoleCalled = false
}

/** Notes that an account without code was called. */
export function noteEmptyCall(address: usize): void {
  if (load<u64>(address) == 0x736f6c652e6c6f67 && load<u64>(address, 8) == 0x636f6e && load<u64>(address, 16) == 0) consoleCalled = true
}

/** Starts a record; 0 when there is no room. The message's own input is not copied: the host has it. */
export function appendRecord(
  type: i32,
  depth: u32,
  from: usize,
  to: usize,
  value: usize,
  gas: i64,
  input: usize,
  inputLength: u32,
  logStart: u32,
): usize {
  const p = recordsEnd
  if (p + offsetof<CallRecord>() > RECORDS_END) {
    recordsTruncated = true
    return 0
  }
  recordsEnd = p + offsetof<CallRecord>()
  const record = changetype<CallRecord>(p)
  record.type = type
  record.depth = depth
  record.halt = 0
  record.logStart = logStart
  record.logEnd = logStart
  record.input = <u32>recordBytesEnd
  record.inputLength = depth == 0 ? 0 : appendBytes(input, inputLength)
  record.output = 0
  record.outputLength = 0
  record.gas = gas
  record.gasUsed = 0
  copy(record.from, from)
  copy(record.to, to)
  if (value != 0) copy(record.value, value)
  else set(record.value, 0, 0, 0, 0)
  return p
}

/** Ends a record that `appendRecord` answered. */
export function finishRecord(p: usize, halt: i32, gasLeft: i64, output: usize, outputLength: u32, logEnd: u32): void {
  if (p == 0) return
  const record = changetype<CallRecord>(p)
  record.halt = halt
  record.gasUsed = record.gas - gasLeft
  record.logEnd = logEnd
  record.output = <u32>recordBytesEnd
  record.outputLength = appendBytes(output, outputLength)
}

function appendBytes(from: usize, length: u32): u32 {
  if (recordBytesEnd + length > RECORD_BYTES_END) {
    recordsTruncated = true
    return 0
  }
  addExtraWork(length >> COPY_BITS)
  copyBytes(recordBytesEnd, from, length)
  recordBytesEnd += length
  return length
}
