import type { Address, CallFrame, Step } from '@understudy/evm'
import { type DecodedValue, decodeInput } from '../../contracts/decode.ts'
import type { KnownContract, KnownContracts } from '../../contracts/knownContracts.ts'
import { hexFromBytes } from '../../shared/hex.ts'
import { reasonOf } from '../runs/failureReasons.ts'
import type { SourceLocation } from '../runs/runLines.ts'
import { callStackAt, stackLimit } from './callStack.ts'
import type { MachineReplay } from './machineReplay.ts'
import type { Arrival } from './moves.ts'
import type { RunIndex, StorageWrite } from './runIndex.ts'

/** A function that has not returned. */
export type DebugEntry = SourceLocation & {
  /** The position of its call in the calls of the run, outermost first. */
  call: number
  /** Of the function that the call entered; `undefined` for others, and without an ABI. */
  arguments: DecodedValue[] | undefined
}

/** One operation, as the list of operations shows it. */
export type DebugOperation = Pick<Step, 'pc' | 'name' | 'gas' | 'depth'> & { step: number }

/** Where a session is, just before an operation runs. */
export type Position = Arrival & {
  operation: Step
  /** Why the call fails with the operation; `undefined` if it does not. */
  message: string | undefined
  /** Those around it that run before and after it. */
  operations: DebugOperation[]
  /** Innermost first. */
  stack: DebugEntry[]
  frame: CallFrame
  /** What the run has written to storage: the newest value of each slot, the last written first. */
  writes: StorageWrite[]
}

/** Operations that are shown before and after the current one. */
const around = { before: 8, after: 16 }
/** Slots that are shown. */
const writtenLimit = 256

/** What a session shows at an operation. */
export async function loadPosition(
  replay: MachineReplay,
  index: RunIndex,
  { step, reason }: Arrival,
  abis: KnownContracts,
): Promise<Position> {
  const { operation, operations: near } = await replay.at(step, around)
  const operations = near.map(operationOf)
  const levels = callStackAt(index, step)
  const frame = index.frames[index.stop(index.stopAt(step)).frame] as CallFrame
  const isFailing = operation.error !== undefined
  // A contract may hand on an error that only the one that it called declares.
  const failed = isFailing ? index.frames.filter((each) => each.error && handsOn(frame, each)) : []
  const shown = levels.map((each) => index.frames[each.frame] as CallFrame)
  const known = await abis.load([...shown, ...failed.slice(0, stackLimit)].map(({ to }) => to))
  const stack = levels.map(({ frame, location }, at): DebugEntry => {
    const { to, input } = index.frames[frame] as CallFrame
    const contract = known.get(to)
    const isOutermost = levels[at + 1]?.frame !== frame
    const called = isOutermost ? calledFunction(contract, input) : undefined
    return {
      address: to,
      contract: contract?.name,
      file: location?.file,
      line: location?.line,
      function: location?.function ?? called?.name,
      call: frame,
      arguments: called?.args,
    }
  })
  const about = { own: known.get(frame.to), others: [...known.values()] }
  const message = isFailing ? reasonOf(frame, about) : undefined
  return { step, reason, operation, message, operations, stack, frame, writes: newestOf(index.writesBefore(step)) }
}

const handsOn = ({ output }: CallFrame, inner: CallFrame) =>
  output.length > 0 && Buffer.compare(output, inner.output) === 0

/** At most `count` operations of a run, from a number on. */
export async function loadOperations(
  replay: Pick<MachineReplay, 'list'>,
  from: number,
  count: number,
): Promise<DebugOperation[]> {
  return (await replay.list(from, count)).map(operationOf)
}

const operationOf = ({ number, pc, name, gas, depth }: Step): DebugOperation => ({ step: number, pc, name, gas, depth })

const calledFunction = (contract: KnownContract | undefined, input: Uint8Array) =>
  decodeInput(contract?.abi, hexFromBytes(input.subarray(0, inputLimit)))

/** The most data of a call that is decoded, in bytes. */
export const inputLimit = 16 * 1024

function newestOf(writes: readonly StorageWrite[]): StorageWrite[] {
  const newest = new Map<string, StorageWrite>()
  for (const write of writes.toReversed()) {
    const key = `${write.address}:${write.slot}`
    if (!newest.has(key)) newest.set(key, write)
    if (newest.size === writtenLimit) break
  }
  return [...newest.values()]
}

/** The account whose storage a call used. */
export function storageOf(index: RunIndex, call: number): Address {
  for (let at = call; at >= 0; at = index.parentOf(at)) {
    const { type, to } = index.frames[at] as CallFrame
    if (type !== 'DELEGATECALL' && type !== 'CALLCODE') return to
  }
  return (index.frames[0] as CallFrame).to
}
