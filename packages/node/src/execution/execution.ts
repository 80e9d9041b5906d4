import {
  type Address,
  type Authorization,
  type BlockContext,
  type Done,
  type Message,
  requireRules,
  type Word,
} from '@understudy/evm'
import { zeroAddress } from '../ethereum/constants.ts'
import type { ComputingTime } from '../shared/budget/computingTime.ts'
import { currentTime } from '../shared/budget/requestBudget.ts'
import type { Engine } from '../shared/engine.ts'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import { Overlay } from '../state/overlay.ts'
import { type LoadingView, loadAccount } from '../state/view.ts'
import { withMovedPrecompiles } from './movedPrecompiles.ts'
import { requireSuccess } from './revert.ts'
import { runLoaded } from './run.ts'
import { diffFromOverrides, type StateOverrides } from './stateOverrides.ts'

/** A message as a client describes it; what is `undefined` is filled in. Amounts in wei. */
export type CallRequest = {
  from?: Address
  to?: Address
  gas?: bigint
  gasPrice?: bigint
  maxFeePerGas?: bigint
  maxPriorityFeePerGas?: bigint
  maxFeePerBlobGas?: bigint
  value?: bigint
  data?: Uint8Array
  nonce?: bigint
  accessList?: { address: Address; storageKeys: Word[] }[]
  blobVersionedHashes?: Word[]
  /** With the signatures, for those that are to be sent. */
  authorizationList?: (Authorization & { r: Word; s: Word; yParity: number })[]
}

/** The block and the state that a message runs on. */
export type ExecutionPoint = { block: BlockContext; view: LoadingView }

export type Prepared = { message: Message; point: ExecutionPoint }

export type CallOverrides = { state?: StateOverrides; block?: Partial<Omit<BlockContext, 'fork'>> }

export type Execution = {
  /** What a request means: the message with its gas, and where it runs. Throws `INSUFFICIENT_FUNDS`. */
  prepare(request: CallRequest, point: ExecutionPoint, overrides?: CallOverrides): Promise<Prepared>
  /** Throws `EXECUTION_REVERTED` with the return data, `EXECUTION_FAILED`, or why the message may not run. */
  call(request: CallRequest, point: ExecutionPoint, overrides?: CallOverrides): Promise<Done>
  /** The least gas with which the message succeeds, found by running it. Throws as `call` does. */
  estimateGas(request: CallRequest, point: ExecutionPoint, overrides?: CallOverrides): Promise<bigint>
}

export type ExecutionOptions = {
  /** The most gas that a call gets, and what it gets when it names none. */
  callGasLimit: bigint
  /** How many seconds the runs of one request may compute. */
  callTimeout: number
}

export function createExecution(options: ExecutionOptions, { engine }: { engine: Engine }): Execution {
  const newTime = () => currentTime(options.callTimeout * 1000)
  const run = (message: Message, point: ExecutionPoint, time: ComputingTime) =>
    runLoaded(engine, message, point.block, point.view, { kind: 'call', time })

  async function prepare(request: CallRequest, at: ExecutionPoint, overrides?: CallOverrides): Promise<Prepared> {
    const point = applyOverrides(at, overrides)
    const message = messageFromRequest(request, point.block)
    return { message: { ...message, gasLimit: await gasAllowance(message, request.gas, point) }, point }
  }

  return {
    prepare,

    async call(request, at, overrides) {
      const { message, point } = await prepare(request, at, overrides)
      return requireSuccess(await run(message, point, newTime()))
    },

    async estimateGas(request, at, overrides) {
      const point = applyOverrides(at, overrides)
      const message = messageFromRequest(request, point.block)
      const most = min(await gasAllowance(message, request.gas, point), transactionGasCap(point.block))
      const time = newTime()
      const runWith = (gasLimit: bigint) => run({ ...message, gasLimit }, point, time)
      const { gasUsed, gasRefund } = requireSuccess(await runWith(most))
      // What it used is often enough, and otherwise a little more: the refund, and what a call holds back (EIP-150).
      const guesses = [gasUsed, ((gasUsed + gasRefund + 2_300n) * 64n) / 63n]
      let tooLittle = gasUsed - 1n
      let enough = most
      while (tooLittle + 1n < enough) {
        const guess = guesses.shift()
        const gas = guess !== undefined && guess > tooLittle && guess < enough ? guess : (tooLittle + enough) / 2n
        if (await succeeds(runWith(gas))) enough = gas
        else tooLittle = gas
      }
      return enough
    },
  }

  /** As much as was asked for, at most the limit, and no more than the sender can pay when the call has a price. */
  async function gasAllowance(message: Message, wanted: bigint | undefined, { view }: ExecutionPoint): Promise<bigint> {
    const gas = min(wanted ?? options.callGasLimit, options.callGasLimit)
    const price = message.maxFeePerGas ?? message.gasPrice
    if (price === 0n) return gas
    const { balance } = await loadAccount(view, message.from)
    const left = balance - message.value
    if (left < 0n)
      throw new NetworkError('INSUFFICIENT_FUNDS', { address: message.from, have: balance, want: message.value })
    return min(gas, left / price)
  }
}

const min = (a: bigint, b: bigint) => (a < b ? a : b)

/** The most gas that a transaction of a block may have (EIP-7825). */
export function transactionGasCap({ fork, gasLimit }: BlockContext): bigint {
  const { gasCap } = requireRules(fork)
  return gasCap === undefined ? gasLimit : min(gasCap, gasLimit)
}

async function succeeds(run: Promise<Done>): Promise<boolean> {
  try {
    return (await run).status === 'success'
  } catch (error) {
    if (isNetworkError(error, 'INTRINSIC_GAS_TOO_LOW')) return false
    throw error
  }
}

/** A request as the engine takes it; its gas is that which it names, or none. */
export function messageFromRequest(request: CallRequest, block: BlockContext): Message {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas = 0n } = request
  return {
    from: request.from ?? zeroAddress,
    to: request.to,
    value: request.value ?? 0n,
    data: request.data ?? new Uint8Array(),
    gasLimit: request.gas ?? 0n,
    gasPrice: gasPrice ?? (maxFeePerGas === undefined ? 0n : min(maxFeePerGas, block.baseFee + maxPriorityFeePerGas)),
    maxFeePerGas,
    maxPriorityFeePerGas: request.maxPriorityFeePerGas,
    accessList: request.accessList,
    maxFeePerBlobGas: request.maxFeePerBlobGas,
    blobVersionedHashes: request.blobVersionedHashes,
    authorizationList: request.authorizationList,
  }
}

function applyOverrides({ block, view }: ExecutionPoint, overrides: CallOverrides = {}): ExecutionPoint {
  const changed = { ...block, ...overrides.block }
  if (!overrides.state || overrides.state.size === 0) return { block: changed, view }
  const overlay = new Overlay(view)
  overlay.apply(diffFromOverrides(overrides.state))
  return { block: withMovedPrecompiles(changed, overrides.state), view: overlay }
}
