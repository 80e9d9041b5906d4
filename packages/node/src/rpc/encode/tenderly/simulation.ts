import { z } from 'zod'
import type { FromUpstream, Local } from '../../../chain/origins.ts'
import { logsBloom } from '../../../ethereum/bloom.ts'
import type { Currency } from '../../../ethereum/chains/profile.ts'
import type { Receipt } from '../../../ethereum/receipt.ts'
import { NetworkError } from '../../../shared/errors.ts'
import { quantity } from '../../../shared/hex.ts'
import type {
  CallOutcome,
  OutcomeError,
  OutcomeFee,
  OutcomeFrame,
  OutcomeLog,
  SequenceOutcome,
} from '../../../simulation/outcome/outcome.ts'
import { HexAddress, HexBytes, HexQuantity, HexWord } from '../../codecs/wire.ts'
import { encodeTenderlyChanges, given, TenderlyChanges } from './changes.ts'
import { encodeArgument, TenderlyArgument } from './decoded.ts'

/** What a call did, in Tenderly's shape. Fields of our own are marked; docs/tenderly.md names them. */

const Log = z
  .object({
    /** Empty of an event that is not known. */
    name: z.string(),
    anonymous: z.boolean(),
    inputs: z.array(TenderlyArgument.extend({ indexed: z.boolean() })).nullable(),
    raw: z.object({ address: HexAddress, topics: z.array(HexWord), data: HexBytes }),
  })
  .meta({ title: 'TenderlyLog' })

const Frame = z
  .object({
    type: z.string(),
    from: HexAddress,
    to: HexAddress,
    gas: HexQuantity,
    gasUsed: HexQuantity,
    value: HexQuantity.optional(),
    /** `execution reverted`, or why it halted. */
    error: z.string().optional(),
    errorReason: z.string().optional(),
    input: HexBytes,
    decodedInput: z.array(TenderlyArgument).optional(),
    method: z.string().optional(),
    output: HexBytes,
    decodedOutput: z.array(TenderlyArgument).optional(),
    subtraces: z.number(),
    traceAddress: z.array(z.number()),
    /** Ours: the name of the contract. */
    contractName: z.string().optional(),
  })
  .meta({ title: 'TenderlyFrame' })

/** Ours: the contract in which it failed first, the error that it reverted with, and where, innermost first. */
const ErrorInfo = z
  .object({
    address: HexAddress,
    data: HexBytes,
    error: z.object({ name: z.string(), inputs: z.array(TenderlyArgument) }).optional(),
    stack: z.array(
      z.object({
        address: HexAddress,
        contract: z.string().optional(),
        file: z.string().optional(),
        line: z.number().optional(),
        function: z.string().optional(),
        message: z.string().optional(),
      }),
    ),
  })
  .meta({ title: 'TenderlyErrorInfo' })

/** Ours: in wei; the price per gas. `l1Fee`: what a rollup takes for its data. */
const Fee = z
  .object({
    gasPrice: HexQuantity,
    baseFeePerGas: HexQuantity,
    gasFee: HexQuantity,
    blobFee: HexQuantity,
    l1Fee: HexQuantity.optional(),
    total: HexQuantity,
    isCharged: z.boolean(),
  })
  .meta({ title: 'TenderlyFee' })

export const TenderlySimulation = z
  .object({
    status: z.boolean(),
    gasUsed: HexQuantity,
    cumulativeGasUsed: HexQuantity,
    blockNumber: HexQuantity,
    type: HexQuantity,
    logsBloom: HexBytes,
    logs: z.array(Log),
    /** Calls and creations in the order in which they began. */
    trace: z.array(Frame),
    ...TenderlyChanges.shape,
    error: z.string().optional(),
    errorMessage: z.string().optional(),
    errorInfo: ErrorInfo.optional(),
    /** Ours. */
    accessList: z.array(z.object({ address: HexAddress, storageKeys: z.array(HexWord) })),
    /** Ours. */
    fee: Fee,
    /** Ours: what is left out because it exceeds a limit, in words. */
    truncated: z.array(z.string()).optional(),
  })
  .meta({ title: 'TenderlySimulation' })

type Simulation = z.output<typeof TenderlySimulation>

/** `cumulativeGasUsed`: of the calls or transactions up to this one. */
type Context = { blockNumber: bigint; cumulativeGasUsed: bigint; currency: Currency }

export function encodeSimulation(outcome: CallOutcome, context: Context): Simulation {
  const { status, gasUsed, message, logs, frames, error, accessList, fee, truncated } = outcome
  return {
    status: status === 'succeeded',
    gasUsed: quantity(gasUsed),
    cumulativeGasUsed: quantity(context.cumulativeGasUsed),
    blockNumber: quantity(context.blockNumber),
    type: quantity(message.type),
    logsBloom: logsBloom(logs),
    logs: logs.map(encodeLog),
    trace: frames.filter(({ type }) => type !== 'SELFDESTRUCT').map(encodeFrame),
    ...encodeTenderlyChanges(outcome, context.currency),
    ...(error && {
      error: error.message,
      errorMessage: error.reason ?? error.message,
      errorInfo: encodeErrorInfo(error),
    }),
    accessList: accessList.map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys] })),
    fee: encodeFee(fee),
    ...(truncated.length > 0 && { truncated }),
  }
}

/** The gas of a transaction and of those before it in its block. */
export function cumulativeGasOf(receipt: Local<Receipt> | FromUpstream | undefined): bigint | undefined {
  if (receipt?.origin === 'local') return receipt.value.cumulativeGasUsed
  const gas = receipt?.value.cumulativeGasUsed
  return typeof gas === 'string' ? BigInt(gas) : undefined
}

/** Each counts the gas of those before it, too. */
export function encodeSimulations({ block, results }: SequenceOutcome, currency: Currency): Simulation[] {
  let cumulativeGasUsed = 0n
  return results.map((outcome) => {
    cumulativeGasUsed += outcome.gasUsed
    return encodeSimulation(outcome, { blockNumber: block.number, cumulativeGasUsed, currency })
  })
}

/** Of the one call of a request. */
export function encodeOnlySimulation({ block, results }: SequenceOutcome, currency: Currency): Simulation {
  const [outcome] = results as [CallOutcome]
  return encodeSimulation(outcome, { blockNumber: block.number, cumulativeGasUsed: outcome.gasUsed, currency })
}

const argumentsOf = (parameters: Parameters<typeof encodeArgument>[0][]) => parameters.map(encodeArgument)

function encodeLog({ address, topics, data, event }: OutcomeLog): Simulation['logs'][number] {
  const inputs = event?.args?.map((argument, index) => ({
    ...encodeArgument(argument, index),
    indexed: argument.indexed === true,
  }))
  return {
    name: event?.name ?? '',
    anonymous: topics.length === 0,
    inputs: inputs ?? null,
    raw: { address, topics, data },
  }
}

/** Calls that pass on the value of another one, or none. */
const withoutValue = new Set(['STATICCALL', 'DELEGATECALL'])

function encodeFrame(frame: OutcomeFrame): Simulation['trace'][number] {
  const { type, from, to, gas, gasUsed, value, error, reason, input, output, subtraces, traceAddress } = frame
  const { function: called, returned, contract } = frame
  return {
    type,
    from,
    to,
    gas: quantity(gas),
    gasUsed: quantity(gasUsed),
    ...(!withoutValue.has(type) && { value: quantity(value) }),
    ...given({ error, errorReason: reason }),
    input,
    ...given({ decodedInput: called?.args && argumentsOf(called.args), method: called?.name }),
    output,
    ...given({ decodedOutput: returned && argumentsOf(returned) }),
    subtraces,
    traceAddress,
    ...given({ contractName: contract }),
  }
}

const encodeErrorInfo = ({ address, data, decoded, stack }: OutcomeError): z.output<typeof ErrorInfo> => ({
  address,
  data,
  ...(decoded?.args && { error: { name: decoded.name, inputs: argumentsOf(decoded.args) } }),
  stack: stack.map(({ address: at, contract, file, line, function: within, message }) => ({
    address: at,
    ...given({ contract, file, line, function: within, message }),
  })),
})

const encodeFee = ({ gasPrice, baseFee, gas, blobs, l1, total, isCharged }: OutcomeFee): z.output<typeof Fee> => ({
  gasPrice: quantity(gasPrice),
  baseFeePerGas: quantity(baseFee),
  gasFee: quantity(gas),
  blobFee: quantity(blobs),
  ...(l1 !== undefined && { l1Fee: quantity(l1) }),
  total: quantity(total),
  isCharged,
})

/** `gas`: the lowest limit with which the call succeeds. */
export const TenderlyGasEstimate = z
  .object({ gas: HexQuantity, gasUsed: HexQuantity })
  .meta({ title: 'TenderlyGasEstimate' })

type GasEstimate = z.output<typeof TenderlyGasEstimate>

/** Of the one call of a request. Throws like `encodeGasEstimates`. */
export function encodeOnlyGasEstimate(outcome: SequenceOutcome): GasEstimate {
  const [estimate] = encodeGasEstimates(outcome)
  return estimate as GasEstimate
}

/** Throws `EXECUTION_REVERTED` or `EXECUTION_FAILED` for a call that fails; of several, the message says which. */
export function encodeGasEstimates({ results }: SequenceOutcome): GasEstimate[] {
  return results.map(({ error, sufficientGas, gasUsed }, index) => {
    if (error) throw failureOf(error, results.length > 1 ? `call ${index}: ` : '')
    return { gas: quantity(sufficientGas ?? gasUsed), gasUsed: quantity(gasUsed) }
  })
}

function failureOf({ message, reason, data }: OutcomeError, prefix: string): NetworkError {
  const text = `${prefix}${message}${reason === undefined ? '' : `: ${reason}`}`
  if (message !== 'execution reverted') return new NetworkError('EXECUTION_FAILED', { text })
  return new NetworkError('EXECUTION_REVERTED', { text }, { data })
}
