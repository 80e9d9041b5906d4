import { logsBloom } from '../../../ethereum/bloom.ts'
import type { EncodedOutcome } from '../../../rpc/encode/outcome/outcome.ts'
import { quantity } from '../../../shared/hex.ts'
import { argumentsOf, type Call } from './decoded.ts'

/** A simulation as the second version of the REST interface has it, which is the RPC's with other names. */
export function encodeV2(call: Call, { number }: EncodedOutcome['block'], cumulativeGasUsed: bigint) {
  const { status, gasUsed, message, logs, frames, error } = call
  return {
    status: status === 'succeeded',
    gas_used: Number(gasUsed),
    cumulative_gas_used: Number(cumulativeGasUsed),
    block_number: number,
    type: message.type,
    logs_bloom: logsBloom(logs),
    logs: logs.map(({ address, topics, data, event }) => {
      const inputs = event?.args && argumentsOf(event.args)
      return {
        name: event?.name ?? '',
        anonymous: topics.length === 0,
        inputs: inputs?.map((input, index) => ({ ...input, indexed: event?.args?.[index]?.indexed === true })) ?? null,
        raw: { address, topics, data },
      }
    }),
    trace: frames.filter(({ type }) => type !== 'SELFDESTRUCT').map(encodeFrame),
    ...(error && { error: error.message, error_message: error.reason ?? error.message }),
  }
}

function encodeFrame(frame: Call['frames'][number]) {
  const { type, from, to, gas, gasUsed, value, input, output, error, reason, subtraces, traceAddress } = frame
  return {
    ...{ type, from, to, gas: Number(gas), gas_used: Number(gasUsed), value: quantity(BigInt(value)) },
    ...(error !== null && { error }),
    ...(reason !== null && { error_reason: reason }),
    input,
    ...(frame.function && { method: frame.function.name }),
    ...(frame.function?.args && { decoded_input: argumentsOf(frame.function.args) }),
    output,
    ...(frame.returned && { decoded_output: argumentsOf(frame.returned) }),
    ...{ subtraces, trace_address: traceAddress },
  }
}
