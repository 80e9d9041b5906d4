import type { BlockContext, Message, MessageKind, TracedRun } from '@understudy/evm'
import { type CallRequest, type ExecutionPoint, messageFromRequest, withoutBaseFee } from '../../execution/execution.ts'
import { withMovedPrecompiles } from '../../execution/movedPrecompiles.ts'
import { diffFromOverrides } from '../../execution/stateOverrides.ts'
import type { ComputingTime } from '../../shared/budget/computingTime.ts'
import type { Engine } from '../../shared/engine.ts'
import { isNetworkError, NetworkError } from '../../shared/errors.ts'
import { Overlay } from '../../state/overlay.ts'
import { type LoadingView, loadAccount } from '../../state/view.ts'
import { runTraced } from '../../traces/runs/runTraced.ts'
import { encodingOf } from './fee.ts'
import type { OutcomeRequest } from './outcome.ts'
import { type SequenceRun, sequenceRunOf } from './run.ts'

type Needs = {
  at: ExecutionPoint
  engine: Engine
  /** Maximum gas of all calls together. */
  gasLimit: bigint
  time: ComputingTime
  suggestTip: () => Promise<bigint> | bigint
}

/** The block and the state that calls begin with. */
export function startOf({ stateOverrides, blockOverrides }: OutcomeRequest, at: ExecutionPoint) {
  // State overrides of followed keys replace what is followed. They are below the writes of the calls.
  const overridden = new Overlay(at.view)
  if (stateOverrides) overridden.apply(diffFromOverrides(stateOverrides))
  const changed = blockOverrides ? { ...at.block, ...blockOverrides } : at.block
  const block = stateOverrides ? withMovedPrecompiles(changed, stateOverrides) : changed
  return { block, state: new Overlay(overridden) }
}

/** Runs calls in order. Finish with a run before requesting the next. Throws if a call is invalid. */
export async function* runSequence(
  request: OutcomeRequest,
  { block, state }: ReturnType<typeof startOf>,
  needs: Omit<Needs, 'at'>,
): AsyncGenerator<SequenceRun> {
  const { engine, gasLimit, time } = needs
  const kind = request.validation ? 'transaction' : 'call'
  const free = withoutBaseFee(block)
  let gasLeft = gasLimit
  for (const [index, call] of request.calls.entries()) {
    if (gasLeft <= 0n)
      throw new NetworkError('LIMIT_EXCEEDED', { what: 'the calls use more gas together', limit: gasLimit })
    let run: TracedRun
    try {
      const message = await messageOf(call, block, state, { ...needs, kind, gasLeft })
      // Without a price, the base fee is 0 for the code too, as in calls.
      const isFree = kind === 'call' && message.gasPrice === 0n && request.blockOverrides?.baseFee === undefined
      run = await runTraced(engine, { message, block: isFree ? free : block, view: state, kind, time, preimages: true })
    } catch (error) {
      throw request.calls.length > 1 ? withIndex(error, index) : error
    }
    yield sequenceRunOf({ request: call, run, kind, view: state, block })
    gasLeft -= run.result.gasUsed
    state.apply(run.result.diff)
  }
}

function withIndex(error: unknown, index: number): unknown {
  if (!isNetworkError(error)) return error
  return new NetworkError(error.kind, { ...error.details, call: index }, { cause: error, data: error.data })
}

type MessageNeeds = Pick<Needs, 'suggestTip'> & { kind: MessageKind; gasLeft: bigint }

async function messageOf(
  request: CallRequest,
  block: BlockContext,
  state: LoadingView,
  { kind, gasLeft, suggestTip }: MessageNeeds,
): Promise<Message> {
  const priced = kind === 'call' ? request : await withPrice(request, block, suggestTip)
  const message = messageFromRequest(priced, block)
  const most = request.gas !== undefined && request.gas < gasLeft ? request.gas : gasLeft
  const limit = kind === 'transaction' && block.gasLimit < most && request.gas === undefined ? block.gasLimit : most
  const gas = await affordable(message, limit, state)
  if (kind === 'call') return { ...message, gasLimit: gas }
  const nonce = request.nonce ?? (await loadAccount(state, message.from)).nonce
  // Contracts may send, and the cap of EIP-7825 does not apply, as in other simulations.
  const sent = { ...message, gasLimit: gas, nonce, senderMayHaveCode: true, gasMayExceedCap: true }
  return block.surcharge ? { ...sent, encoded: encodingOf(sent, block.chainId, priced) } : sent
}

/** What a wallet would offer, if a call names no price. */
async function withPrice(request: CallRequest, block: BlockContext, suggestTip: Needs['suggestTip']) {
  if (request.gasPrice !== undefined || request.maxFeePerGas !== undefined) return request
  const tip = request.maxPriorityFeePerGas ?? (await suggestTip())
  return { ...request, maxPriorityFeePerGas: tip, maxFeePerGas: 2n * block.baseFee + tip }
}

/** As much gas as the sender can pay for; what it lacks for the value, the engine says. */
async function affordable(message: Message, gas: bigint, state: LoadingView): Promise<bigint> {
  const price = message.maxFeePerGas ?? message.gasPrice
  if (price === 0n) return gas
  const { balance } = await loadAccount(state, message.from)
  const left = balance - message.value
  if (left < 0n)
    throw new NetworkError('INSUFFICIENT_FUNDS', { address: message.from, have: balance, want: message.value })
  return left / price < gas ? left / price : gas
}
