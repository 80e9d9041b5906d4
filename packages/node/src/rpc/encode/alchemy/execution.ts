import { z } from 'zod'
import { quantity } from '../../../shared/hex.ts'
import type { CallOutcome, DecodedParameter, OutcomeFrame, OutcomeLog } from '../../../simulation/outcome/outcome.ts'
import { HexAddress, HexBytes, HexQuantity, HexWord } from '../../codecs/wire.ts'
import { alchemyError } from './assetChanges.ts'

const Parameter = z.object({ name: z.string(), type: z.string(), value: z.string() })
/** The one source of names that clients of Alchemy know. */
const authority = z.literal('ETHERSCAN')

const Call = z.object({
  type: z.string(),
  from: HexAddress,
  to: HexAddress,
  value: HexQuantity.nullable(),
  gas: HexQuantity,
  gasUsed: HexQuantity,
  input: HexBytes,
  output: HexBytes,
  decoded: z
    .object({ authority, methodName: z.string(), inputs: z.array(Parameter), outputs: z.array(Parameter) })
    .nullable(),
  error: z.string().optional(),
  revertReason: z.string().optional(),
})

const AnyCall = Call.extend({
  get calls() {
    return z.array(AnyCall).optional()
  },
}).meta({ title: 'AlchemyCall' })

/** The calls and the logs of a call, as in Alchemy's API. */
export const AlchemyExecution = z
  .object({
    calls: z.array(AnyCall),
    logs: z.array(
      z.object({
        address: HexAddress,
        topics: z.array(HexWord),
        data: HexBytes,
        decoded: z
          .object({ authority, eventName: z.string(), inputs: z.array(Parameter.extend({ indexed: z.boolean() })) })
          .nullable(),
      }),
    ),
    error: z.string().nullable(),
    revertReason: z.string().nullable(),
  })
  .meta({ title: 'AlchemyExecution' })

type EncodedCall = z.output<typeof Call> & { calls?: EncodedCall[] }
export type AlchemyFormat = 'NESTED' | 'FLAT'

/** `FLAT`: all calls are in one list, in the order in which they began. `NESTED`: each has those that it made itself. */
export function encodeAlchemyExecution(
  { frames, logs, error }: CallOutcome,
  format: AlchemyFormat,
): z.output<typeof AlchemyExecution> {
  return {
    calls: format === 'FLAT' ? frames.map(callOf) : nested(frames),
    logs: logs.map(logOf),
    error: alchemyError(error) ?? null,
    revertReason: error?.reason ?? null,
  }
}

function nested(frames: readonly OutcomeFrame[]): EncodedCall[] {
  const [top] = frames
  if (!top) return []
  const path: EncodedCall[] = []
  for (const frame of frames) {
    const call = callOf(frame)
    const depth = frame.traceAddress.length
    const caller = path[depth - 1]
    if (caller) {
      caller.calls ??= []
      caller.calls.push(call)
    }
    path.splice(depth, path.length, call)
  }
  return path.slice(0, 1)
}

function callOf(frame: OutcomeFrame): EncodedCall {
  const { type, from, to, value, gas, gasUsed, input, output, error, reason, function: fn, returned = [] } = frame
  const hasValue = type !== 'STATICCALL' && type !== 'DELEGATECALL'
  return {
    type,
    from,
    to,
    value: hasValue ? quantity(value) : null,
    gas: quantity(gas),
    gasUsed: quantity(gasUsed),
    input,
    output,
    decoded: fn
      ? {
          authority: 'ETHERSCAN',
          methodName: fn.name,
          inputs: (fn.args ?? []).map(parameterOf),
          outputs: returned.map(parameterOf),
        }
      : null,
    ...(error !== undefined && { error }),
    ...(reason !== undefined && { revertReason: reason }),
  }
}

function logOf({ address, topics, data, event }: OutcomeLog) {
  return {
    address,
    topics,
    data,
    decoded: event
      ? {
          authority: 'ETHERSCAN' as const,
          eventName: event.name,
          inputs: (event.args ?? []).map((arg) => ({ ...parameterOf(arg), indexed: arg.indexed === true })),
        }
      : null,
  }
}

/** Addresses are in lowercase, arrays and tuples are JSON in a text. */
function parameterOf({ name, type, value }: DecodedParameter) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return { name, type, value: type === 'address' ? text.toLowerCase() : text }
}
