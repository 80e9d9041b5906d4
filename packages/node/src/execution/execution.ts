import {
  type Address,
  type Authorization,
  type BlockContext,
  type Done,
  type Message,
  type Prices,
  rulesOf,
  type Word,
} from '@understudy/evm'
import { withChosenAuthorities } from '../ethereum/authorization.ts'
import { zeroAddress } from '../ethereum/constants.ts'
import { chain, type MaybePromise } from '../shared/async/maybePromise.ts'
import type { ComputingTime } from '../shared/budget/computingTime.ts'
import { currentBudget, currentTime } from '../shared/budget/requestBudget.ts'
import type { Engine, Output } from '../shared/engine.ts'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import { Overlay } from '../state/overlay.ts'
import { type LoadingView, loadAccount } from '../state/view.ts'
import { withMovedPrecompiles } from './movedPrecompiles.ts'
import { runToSuccess } from './revert.ts'
import { runLoaded } from './run.ts'
import { diffFromOverrides, type StateOverrides } from './stateOverrides.ts'

/** A message from a client; `undefined` fields are filled in. Amounts in wei. */
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
  /** Signed authorizations, for transactions that are to be sent. */
  authorizationList?: (Authorization & { r: Word; s: Word; yParity: number })[]
}

/** The block and the state that a message runs on. */
export type ExecutionPoint = { block: BlockContext; view: LoadingView }

export type Prepared = { message: Message; point: ExecutionPoint }

export type CallOverrides = { state?: StateOverrides; block?: Partial<Omit<BlockContext, 'fork'>> }

export type Execution = {
  /** Prepares a request: the message with its gas, and where it runs. Throws `INSUFFICIENT_FUNDS`. */
  prepare(request: CallRequest, point: ExecutionPoint, overrides?: CallOverrides): MaybePromise<Prepared>
  /** What a call returns. Throws `EXECUTION_REVERTED` with the return data, `EXECUTION_FAILED`, or the reason why the message is invalid. */
  call(request: CallRequest, point: ExecutionPoint, overrides?: CallOverrides): MaybePromise<Uint8Array>
  /** The lowest gas limit with which the message succeeds, found by running it. Throws like `call`. */
  estimateGas(request: CallRequest, point: ExecutionPoint, overrides?: CallOverrides): MaybePromise<bigint>
}

export type ExecutionOptions = {
  /** Maximum gas of a call, and its default. */
  callGasLimit: bigint
  /** Maximum computing time for one request, in seconds. */
  callTimeout: number
}

/** `onCall` is told of each call before it runs, `onRun` of the result of a call, and of the first run of an estimate. */
type Needs = { engine: Engine; onCall?: (message: Message) => void; onRun?: (result: Done) => void }

export function createExecution(options: ExecutionOptions, { engine, onCall, onRun }: Needs): Execution {
  const newTime = () => currentTime(options.callTimeout * 1000)

  function prepare(request: CallRequest, at: ExecutionPoint, overrides?: CallOverrides): MaybePromise<Prepared> {
    const prepared = begin(request, at, overrides)
    const { message, point } = prepared
    const gas = gasAllowance(message, request.gas, point)
    if (gas instanceof Promise) return gas.then((gasLimit) => ({ ...prepared, message: { ...message, gasLimit } }))
    message.gasLimit = gas
    return prepared
  }

  function call({ message, point }: Prepared): MaybePromise<Uint8Array> {
    onCall?.(message)
    const budget = currentBudget()
    const time = budget?.time ?? newTime()
    const mayShare = budget !== undefined && !time.isShared
    const output = engine.output(message, point.block, point.view, { time, mayShare })
    return output instanceof Promise
      ? output.then((found) => outputOf(found, message, point, time))
      : outputOf(output, message, point, time)
  }

  /** Runs the message as a whole where its output alone is not known. */
  function outputOf(
    output: Output,
    message: Message,
    { block, view }: ExecutionPoint,
    time: ComputingTime,
  ): MaybePromise<Uint8Array> {
    if (!output) {
      const run = runToSuccess(engine, { message, block, view }, { kind: 'call', time }, onRun)
      return chain(run, (done) => done.output)
    }
    view.prefetch?.touch(message)
    currentBudget()?.bytes.expect(2 * output.length)
    return output
  }

  /** The lowest gas limit, if the message succeeded with the gas `most`. */
  async function searchGas({ gasUsed, gasRefund }: Done, most: bigint, run: (gasLimit: bigint) => MaybePromise<Done>) {
    // The gas used is often enough. Otherwise add the refund, and what calls hold back (EIP-150).
    const guesses = [gasUsed, ((gasUsed + gasRefund + 2_300n) * 64n) / 63n]
    let tooLittle = gasUsed - 1n
    let enough = most
    while (tooLittle + 1n < enough) {
      const guess = guesses.shift()
      const gas = guess !== undefined && guess > tooLittle && guess < enough ? guess : (tooLittle + enough) / 2n
      if (await succeeds(() => run(gas))) enough = gas
      else tooLittle = gas
    }
    return enough
  }

  return {
    prepare,

    call: (request, at, overrides) => chain(prepare(request, at, overrides), call),

    estimateGas(request, at, overrides) {
      const { message, point } = begin(request, at, overrides)
      const { block, view } = point
      const how = { ...estimateRun, time: newTime() }
      return chain(gasAllowance(message, request.gas, point), (allowance) => {
        const most = min(allowance, transactionGasCap(block, allowance))
        const whole = { message: { ...message, gasLimit: most }, block, view }
        return chain(runToSuccess(engine, whole, how, onRun), (first) =>
          isTransfer(first, rulesOf(block).prices)
            ? first.gasUsed
            : searchGas(first, most, (gasLimit) => runLoaded(engine, { ...message, gasLimit }, block, view, how)),
        )
      })
    },
  }

  /** The requested gas, limited by the maximum and, if the call has a gas price, by the sender's balance. */
  function gasAllowance(message: Message, wanted: bigint | undefined, { view }: ExecutionPoint): MaybePromise<bigint> {
    const gas = min(wanted ?? options.callGasLimit, options.callGasLimit)
    const price = message.maxFeePerGas ?? message.gasPrice
    if (price === 0n) return gas
    return chain(loadAccount(view, message.from), ({ balance }) => {
      const left = balance - message.value
      if (left < 0n)
        throw new NetworkError('INSUFFICIENT_FUNDS', { address: message.from, have: balance, want: message.value })
      return min(gas, left / price)
    })
  }
}

const estimateRun = { kind: 'call', capsGas: true } as const

/** Whether nothing ran. */
function isTransfer({ status, gasUsed, gasRefund }: Done, prices: Prices): boolean {
  const transfer = prices.transaction + prices.transactionRecipient + prices.transactionValue
  return status === 'success' && gasUsed === BigInt(transfer) && gasRefund === 0n
}

const min = (a: bigint, b: bigint) => (a < b ? a : b)

/** Maximum gas limit of a transaction (EIP-7825, EIP-8037), at most `most` where blocks have no limit. */
export function transactionGasCap(block: BlockContext, most = block.gasLimit): bigint {
  const { gasLimitCap } = rulesOf(block)
  const limit = block.limits?.noBlockGasLimit ? most : block.gasLimit
  return gasLimitCap === undefined ? limit : min(gasLimitCap, limit)
}

async function succeeds(run: () => MaybePromise<Done>): Promise<boolean> {
  try {
    return (await run()).status === 'success'
  } catch (error) {
    if (isNetworkError(error, 'INTRINSIC_GAS_TOO_LOW')) return false
    throw error
  }
}

/** Converts a request for the engine; its gas is the requested one, or zero. */
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
    authorizationList: withChosenAuthorities(request.authorizationList, block.signatures),
  }
}

/** The message, and where it runs: without a price, the base fee is 0 for its code too, as in geth. */
function begin(request: CallRequest, at: ExecutionPoint, overrides?: CallOverrides): Prepared {
  const point = applyOverrides(at, overrides)
  const message = messageFromRequest(request, point.block)
  const isFree = (message.maxFeePerGas ?? message.gasPrice) === 0n && overrides?.block?.baseFee === undefined
  return { message, point: isFree ? { block: withoutBaseFee(point.block), view: point.view } : point }
}

/** Engines tell blocks apart by their objects. */
const blocksWithoutBaseFee = new WeakMap<BlockContext, BlockContext>()

/** The block without its base fee: the same object for the same block. */
export function withoutBaseFee(block: BlockContext): BlockContext {
  if (block.baseFee === 0n) return block
  const known = blocksWithoutBaseFee.get(block)
  if (known) return known
  const made = { ...block, baseFee: 0n }
  blocksWithoutBaseFee.set(block, made)
  return made
}

function applyOverrides(point: ExecutionPoint, overrides: CallOverrides | undefined): ExecutionPoint {
  if (!overrides) return point
  const { block, view } = point
  const changed = { ...block, ...overrides.block }
  if (!overrides.state || overrides.state.size === 0) return { block: changed, view }
  const overlay = new Overlay(view)
  overlay.apply(diffFromOverrides(overrides.state))
  return { block: withMovedPrecompiles(changed, overrides.state), view: overlay }
}
