import { addressFromLimbs, dataViewOf, readLimbs } from './bytes.ts'
import { haltFromNumber } from './halts.ts'
import { isTime } from './lazy.ts'
import type { CallFrame, CallType } from './port.ts'

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

/** The position of call records in a result, and of the bytes that they refer to. */
export type RecordSection = { at: number; count: number; bytesAt: number; bytesOrigin: number }

/** Reads the call records of a run. `input` is the message's own. */
export function* decodeFrames(
  result: Buffer,
  { at, count, bytesAt, bytesOrigin }: RecordSection,
  input: Uint8Array,
): Generator<undefined, CallFrame[]> {
  const frames: CallFrame[] = []
  const data = dataViewOf(result)
  // The outermost failed frame around the current one: logs inside it are discarded.
  let failed: { depth: number; logs: readonly [number, number] } | undefined
  for (let i = 0, p = at; i < count; i++, p += recordLength) {
    if (isTime(i)) yield
    const field = (offset: number) => result.readUInt32LE(p + offset)
    const bytes = (pointer: number, length: number) => {
      const start = bytesAt + pointer - bytesOrigin
      return length === 0 ? nothing : new Uint8Array(result.subarray(start, start + length))
    }
    const depth = field(4)
    const error = haltFromNumber(field(8))
    const logs = [field(12), field(16)] as const
    if (failed !== undefined && depth <= failed.depth) failed = undefined
    if (failed === undefined && error !== undefined) failed = { depth, logs: [logs[0], logs[0]] }
    frames.push({
      type: types[field(0)] as CallType,
      depth,
      from: addressFromLimbs(result, p + 56),
      to: addressFromLimbs(result, p + 88),
      value: readLimbs(data, p + 120),
      gas: data.getBigInt64(p + 40, true),
      gasUsed: data.getBigInt64(p + 48, true),
      input: depth === 0 ? input : bytes(field(20), field(24)),
      output: bytes(field(28), field(32)),
      error,
      logs: failed?.logs ?? logs,
      undoneLogs: error === undefined ? 0 : logs[1] - logs[0],
    })
  }
  return frames
}
