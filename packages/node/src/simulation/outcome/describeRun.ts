import type { Message } from '@understudy/evm'
import { hexFromBytes } from '../../shared/hex.ts'
import { loadAccount } from '../../state/view.ts'
import { errorText, placeFrames, plainFrame } from './frames.ts'
import type { CallOutcome, OutcomeFee, OutcomeLog, OutcomeMessage } from './outcome.ts'
import type { SequenceRun } from './sequence.ts'

/** Says what a run did. */
export async function describeRun({ run, view, kind }: SequenceRun): Promise<CallOutcome> {
  const { message, block, result } = run
  const { placed, events } = placeFrames(result)
  const { nonce } = await loadAccount(view, message.from)
  const logs = events.flatMap((event): OutcomeLog[] => {
    const log = event.type === 'log' ? result.logs[event.log] : undefined
    if (!log) return []
    const { address, topics, data } = log
    return [{ address, topics, data: hexFromBytes(data), contract: undefined, event: undefined, frame: event.frame }]
  })
  const output = hexFromBytes(result.output)
  const isCharged = kind === 'transaction' || message.gasPrice > 0n
  return {
    message: messageOf(message, nonce),
    status: result.status === 'success' ? 'succeeded' : 'failed',
    gasUsed: result.gasUsed,
    gasRefund: result.gasRefund,
    sufficientGas: undefined,
    output,
    createdAddress: result.createdAddress,
    error:
      result.status === 'success'
        ? undefined
        : {
            message: errorText(result.status === 'revert' ? 'revert' : result.halt) ?? 'execution halted',
            reason: undefined,
            decoded: undefined,
            data: result.status === 'revert' ? output : '0x',
            address: message.to ?? result.frames[0]?.to ?? message.from,
            stack: [],
          },
    function: undefined,
    returned: undefined,
    logs,
    frames: placed.map(plainFrame),
    assetChanges: [],
    balanceChanges: [],
    approvals: [],
    stateChanges: [],
    accessList: [],
    fee: feeOf(message, { gasUsed: result.gasUsed, baseFee: block.baseFee, isCharged }),
    contracts: [],
    truncated: [],
  }
}

function messageOf(message: Message, nonce: bigint): OutcomeMessage {
  const { from, to, value, data, gasLimit, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList = [] } = message
  return {
    from,
    to,
    value,
    input: hexFromBytes(data),
    nonce: message.nonce ?? nonce,
    gas: gasLimit,
    gasPrice,
    maxFeePerGas,
    maxPriorityFeePerGas,
    accessList: [...accessList],
    type: typeOf(message),
  }
}

function typeOf(message: Message): number {
  if (message.mint !== undefined) return 0x7e
  if (message.authorizationList) return 4
  if (message.blobVersionedHashes) return 3
  if (message.maxFeePerGas !== undefined && message.maxPriorityFeePerGas !== undefined) return 2
  return message.accessList ? 1 : 0
}

function feeOf(
  { gasPrice }: Message,
  { gasUsed, baseFee, isCharged }: { gasUsed: bigint; baseFee: bigint; isCharged: boolean },
): OutcomeFee {
  const gas = gasUsed * gasPrice
  return { gasPrice, baseFee, gas, blobs: 0n, l1: undefined, total: gas, isCharged }
}
