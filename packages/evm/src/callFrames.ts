import { addressFromLimbs, dataViewOf, readLimbs } from './bytes.ts'
import { haltFromNumber } from './halts.ts'
import { isTime } from './lazy.ts'
import type { Address, CallFrame, CallType } from './port.ts'

/** In the order of assembly/records.ts. */
const types: readonly CallType[] = [
  'CALL',
  'STATICCALL',
  'DELEGATECALL',
  'CALLCODE',
  'CREATE',
  'CREATE2',
  'SELFDESTRUCT',
]

const nothing = new Uint8Array(0)

/** The size of a `CallRecord`; see assembly/records.ts. */
const recordLength = 152
const fromOffset = 56
const toOffset = 88

/** The position of call records in a result, and of the bytes that they refer to. */
export type RecordSection = { at: number; count: number; bytesAt: number; bytesOrigin: number }

/** Whether a frame runs the init code of a new contract. */
export const isCreation = ({ type }: { type: CallType }): boolean => type === 'CREATE' || type === 'CREATE2'

/** Where contracts log: `console` of Hardhat and of forge-std calls it. It has no code. */
export const consoleAddress: Address = '0x000000000000000000636f6e736f6c652e6c6f67'
/** As the engine stores it: the lowest byte first. */
const consoleLimbs = Buffer.from(consoleAddress.slice(2), 'hex').reverse()

/** A call of `console.log`: the contract that made it, and its data. */
export type ConsoleCall = Pick<CallFrame, 'from' | 'input'>

/** The first calls of the address where contracts log, without reading the others. `input` is the message's own. */
export function decodeConsoleCalls(
  result: Buffer,
  section: RecordSection,
  input: Uint8Array,
  limit: number,
): ConsoleCall[] {
  const calls: ConsoleCall[] = []
  const end = section.at + section.count * recordLength
  for (let p = section.at; p < end && calls.length < limit; p += recordLength) {
    const to = p + toOffset
    if (result.compare(consoleLimbs, 0, consoleLimbs.length, to, to + consoleLimbs.length) !== 0) continue
    calls.push({ from: addressFromLimbs(result, p + fromOffset), input: inputOf(result, section, p, input) })
  }
  return calls
}

/** The data of the call whose record is at `p`. The message's own is not recorded. */
function inputOf(result: Buffer, section: RecordSection, p: number, message: Uint8Array): Uint8Array {
  return result.readUInt32LE(p + 4) === 0 ? message : recordedBytes(result, section, p + 20)
}

/** The bytes that two fields of a record refer to: a pointer, and the length after it. */
function recordedBytes(result: Buffer, { bytesAt, bytesOrigin }: RecordSection, at: number): Uint8Array {
  const start = bytesAt + result.readUInt32LE(at) - bytesOrigin
  const length = result.readUInt32LE(at + 4)
  return length === 0 ? nothing : new Uint8Array(result.subarray(start, start + length))
}

/** Reads the call records of a run. `input` is the message's own. */
export function* decodeFrames(
  result: Buffer,
  section: RecordSection,
  input: Uint8Array,
): Generator<undefined, CallFrame[]> {
  const { at, count } = section
  const frames: CallFrame[] = []
  const data = dataViewOf(result)
  // The outermost failed frame around the current one: logs inside it are discarded.
  let failed: { depth: number; logs: readonly [number, number] } | undefined
  for (let i = 0, p = at; i < count; i++, p += recordLength) {
    if (isTime(i)) yield
    const field = (offset: number) => result.readUInt32LE(p + offset)
    const depth = field(4)
    const error = haltFromNumber(field(8))
    const logs = [field(12), field(16)] as const
    if (failed !== undefined && depth <= failed.depth) failed = undefined
    if (failed === undefined && error !== undefined) failed = { depth, logs: [logs[0], logs[0]] }
    frames.push({
      type: types[field(0)] as CallType,
      depth,
      from: addressFromLimbs(result, p + fromOffset),
      to: addressFromLimbs(result, p + toOffset),
      value: readLimbs(data, p + 120),
      gas: data.getBigInt64(p + 40, true),
      gasUsed: data.getBigInt64(p + 48, true),
      input: inputOf(result, section, p, input),
      output: recordedBytes(result, section, p + 28),
      error,
      logs: failed?.logs ?? logs,
      undoneLogs: error === undefined ? 0 : logs[1] - logs[0],
    })
  }
  return frames
}
