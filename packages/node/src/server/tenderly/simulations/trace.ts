import type { EncodedOutcome } from '../../../rpc/encode/outcome/outcome.ts'
import { quantity } from '../../../shared/hex.ts'
import { type Call, decodedValues } from './decoded.ts'

type Frame = Call['frames'][number]

export type CallTrace = {
  hash: string
  contract_name: string
  function_name: string
  absolute_position: number
  call_type: string
  caller_op: string
  from: string
  to: string
  value: string
  gas: number
  gas_used: number
  input: string
  decoded_input: ReturnType<typeof decodedValues>
  output: string
  decoded_output: ReturnType<typeof decodedValues>
  error?: string
  error_reason?: string
  network_id: string
  calls: CallTrace[] | null
}

/** The calls as a tree; `undefined` if there is none. */
export function callTrace({ frames }: Call, { chainId }: EncodedOutcome['block'], hash: string): CallTrace | undefined {
  /** The calls that may still have others in them: those of the path to the last one. */
  const open: CallTrace[] = []
  for (const [index, frame] of frames.entries()) {
    const made = callOf(frame, { hash, network_id: String(chainId), absolute_position: index })
    open.length = Math.min(open.length, frame.traceAddress.length)
    const caller = open.at(-1)
    if (caller?.calls) caller.calls.push(made)
    else if (caller) caller.calls = [made]
    open.push(made)
  }
  const [root] = open
  // Readers of reports look through the calls of the transaction without asking whether there are some.
  return root && { ...root, calls: root.calls ?? [] }
}

/** The calls as a list, in the order in which they began. */
export const flatTrace = ({ frames }: Call) =>
  frames.map(({ type, from, to, value, gas, gasUsed, input, error, reason, subtraces, traceAddress }) => ({
    call_type: type,
    ...{ from, to, value: quantity(BigInt(value)), gas: Number(gas), gas_used: Number(gasUsed), input },
    ...(error !== null && { error }),
    ...(reason !== null && { error_reason: reason }),
    subtraces,
    trace_address: traceAddress,
  }))

const callOf = (frame: Frame, more: Pick<CallTrace, 'hash' | 'network_id' | 'absolute_position'>): CallTrace => ({
  ...more,
  contract_name: frame.contract ?? '',
  function_name: frame.function?.name ?? '',
  call_type: frame.type,
  caller_op: frame.type,
  ...{ from: frame.from, to: frame.to, value: quantity(BigInt(frame.value)) },
  ...{ gas: Number(frame.gas), gas_used: Number(frame.gasUsed) },
  ...{ input: frame.input, decoded_input: decodedValues(frame.function?.args) },
  ...{ output: frame.output, decoded_output: decodedValues(frame.returned) },
  ...(frame.error !== null && { error: frame.error }),
  ...(frame.reason !== null && { error_reason: frame.reason }),
  calls: null,
})

/** Where it failed, innermost first; null if it succeeded. */
export function stackTrace({ error, message }: Call) {
  if (!error) return null
  return error.stack.map(({ address, contract, file, line, function: name, message: text }, index) => ({
    file_index: null,
    contract: address,
    name: name ?? contract ?? '',
    line,
    error: index === 0 ? error.message : '',
    error_reason: index === 0 ? (text ?? error.reason ?? '') : '',
    code: '',
    op: index === 0 && message.to !== null ? 'REVERT' : 'CALL',
    length: 0,
    // Not of the published shape.
    ...(file !== null && { file }),
    ...(contract !== null && { contract_name: contract }),
  }))
}

export const logsOf = ({ logs }: Call) =>
  logs.map(({ address, topics, data, event }) => ({
    name: event?.name ?? '',
    anonymous: topics.length === 0,
    inputs: decodedValues(event?.args),
    raw: { address, topics, data },
  }))
