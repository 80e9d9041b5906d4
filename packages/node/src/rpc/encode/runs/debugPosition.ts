import type { CallFrame, Step } from '@understudy/evm'
import { z } from 'zod'
import { hexFromBytes, wordFromBigint } from '../../../shared/hex.ts'
import type { DebugOperation, Position } from '../../../traces/debugger/position.ts'
import { HexAddress, HexBytes, HexQuantity, HexWord } from '../../codecs/wire.ts'
import { DecodedValueObject } from '../decodedTransaction.ts'
import { encodeSourceLocation, sourceLocationFields } from './sourceLocation.ts'

/** Bytes of each part of the machine that are shown. */
const shownBytes = 16 * 1024

/** The first 16384 bytes, and how many there are. */
const Shown = z.object({ data: HexBytes, size: z.number() })

const DebugEntryObject = z
  .object({
    ...sourceLocationFields,
    /** The position of its call in the calls of the run, outermost first. */
    call: z.number(),
    /** Of the function that the call entered; null for internal functions, and without an ABI. */
    arguments: z.array(DecodedValueObject).nullable(),
  })
  .meta({ title: 'DebugEntry' })

export const DebugOperationObject = z
  .object({ step: z.number(), pc: z.number(), opcode: z.string(), gas: z.number(), depth: z.number() })
  .meta({ title: 'DebugOperation' })

const DebugMachineObject = z
  .object({
    /** Deepest word first. */
    stack: z.array(HexQuantity),
    memory: Shown,
    calldata: Shown,
    /** What the last call of this one returned. */
    returnData: Shown,
  })
  .meta({ title: 'DebugMachine' })

export const DebugPositionObject = z
  .object({
    /** The number of the operation that runs next, from 0. */
    step: z.number(),
    /** Why it is there; `end` and `start`: there is nothing further. */
    reason: z.enum(['step', 'line', 'write', 'call', 'revert', 'end', 'start']),
    pc: z.number(),
    opcode: z.string(),
    /** Of the call, from 0. */
    depth: z.number(),
    /** Left before the operation. */
    gas: z.number(),
    cost: z.number(),
    /** Why the call ends with the operation; null if it goes on or succeeds. */
    error: z.string().nullable(),
    /** The same with the reason that the contract gave. */
    message: z.string().nullable(),
    /** The functions that have not returned, innermost first, at most 200. */
    stack: z.array(DebugEntryObject),
    /** The operations that run before and after it. */
    operations: z.array(DebugOperationObject),
    machine: DebugMachineObject,
    /** What the run has written before: the newest value of each slot, the last written first, at most 256. */
    writes: z.array(z.object({ address: HexAddress, slot: HexWord, value: HexWord, step: z.number() })),
  })
  .meta({ title: 'DebugPosition' })

export function encodeDebugPosition(position: Position): z.output<typeof DebugPositionObject> {
  const { step, reason, operation, message, operations, stack, frame, writes } = position
  return {
    step,
    reason,
    pc: operation.pc,
    opcode: operation.name,
    depth: operation.depth,
    gas: Number(operation.gas),
    cost: Number(operation.cost),
    error: operation.error ?? null,
    message: message ?? null,
    stack: stack.map((entry) => ({
      ...encodeSourceLocation(entry),
      call: entry.call,
      arguments: entry.arguments ?? null,
    })),
    operations: operations.map(encodeDebugOperation),
    machine: encodeMachine(operation, frame),
    writes: writes.map(({ address, slot, value, step: at }) => ({
      address,
      slot: wordFromBigint(slot),
      value: wordFromBigint(value),
      step: at,
    })),
  }
}

export const encodeDebugOperation = ({
  step,
  pc,
  name,
  gas,
  depth,
}: DebugOperation): z.output<typeof DebugOperationObject> => ({ step, pc, opcode: name, gas: Number(gas), depth })

const encodeMachine = ({ stack, memory, returnData }: Step, { input }: CallFrame) => ({
  stack: stack.map((word) => `0x${word.toString(16)}` as const),
  memory: shown(memory),
  calldata: shown(input),
  returnData: shown(returnData),
})

const shown = (bytes: Uint8Array) => ({ data: hexFromBytes(bytes.subarray(0, shownBytes)), size: bytes.length })
