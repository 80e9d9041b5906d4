import type { Account, Address, BlockContext, Done, Message, OverrideTable, StateDiff, Word } from '@understudy/evm'
import { isHosted } from '../../ethereum/chains/contracts/contractsOf.ts'
import { emptyCodeHash } from '../../ethereum/constants.ts'
import { blobGasPerBlob } from '../../ethereum/fees.ts'
import { RepricedResult } from '../../execution/repricedResult.ts'
import { runLoaded } from '../../execution/run.ts'
import { chain, type MaybePromise } from '../../shared/async/maybePromise.ts'
import type { ComputingTime } from '../../shared/budget/computingTime.ts'
import type { Engine } from '../../shared/engine.ts'
import { type LoadingView, type WantedState, wantedFrom } from '../../state/view.ts'

/** A transaction that ran before its block was opened, and everything that its result depends on. */
export type AheadRun = {
  readonly message: Message
  readonly context: BlockContext
  readonly overrides: OverrideTable | undefined
  readonly result: Done
  readonly reads: WantedState
  readonly accounts: ReadonlyMap<Address, Account>
  /** The values of the slots in `reads`, in their order. */
  readonly slots: readonly bigint[]
  readonly blockHashes: ReadonlyMap<bigint, Word>
}

export type AheadNeeds = { engine: Engine; overrides: () => OverrideTable | undefined }

/**
 * Runs a message on a state that may change before its result is used. `undefined` if the values that it read are no
 * longer available.
 */
export function runAhead(
  message: Message,
  context: BlockContext,
  view: LoadingView,
  { engine, overrides }: AheadNeeds,
  { signal, time }: { signal?: AbortSignal; time?: ComputingTime },
): MaybePromise<AheadRun | undefined> {
  const table = overrides()
  return chain(runLoaded(engine, message, context, view, { ...transactionRun, time }, signal), (result) =>
    aheadRunOf(result, message, context, view, table),
  )
}

function aheadRunOf(
  result: Done,
  message: Message,
  context: BlockContext,
  view: LoadingView,
  overrides: OverrideTable | undefined,
): AheadRun | undefined {
  const { readSet, diff } = result
  const wanted = wantedFrom(readSet)
  const accounts = new Map<Address, Account>()
  for (const address of wanted.accounts) {
    const account = view.account(address)
    if (!account) return undefined
    accounts.set(address, account)
  }
  // The storage of a contract that the run created was empty: only what the account was before matters.
  const isCreated = (address: Address) => diff.cleared.has(address) && accounts.get(address)?.codeHash === emptyCodeHash
  const reads = { ...wanted, slots: wanted.slots.filter(([address]) => !isCreated(address)) }
  const slots: bigint[] = []
  for (const [address, slot] of reads.slots) {
    const value = view.storage(address, slot)
    if (value === undefined) return undefined
    slots.push(value)
  }
  const blockHashes = new Map<bigint, Word>()
  for (const number of readSet.blockHashes) {
    const hash = view.blockHash(number)
    if (hash) blockHashes.set(number, hash)
  }
  return { message, context, overrides, result, reads, accounts, slots, blockHashes }
}

/** The options for running transactions of blocks. */
export const transactionRun = { kind: 'transaction', preimages: true } as const

/**
 * The result of a message in another block and state: the earlier run's, if nothing that it read has changed. Fees may
 * differ: they change the balances of the sender and the coinbase, and the diff is corrected if the code cannot have
 * seen them. So may the balance of an account that only receives. `undefined` if the message must run again. The view must have everything that the run read.
 */
export function resultIn(
  run: AheadRun,
  message: Message,
  context: BlockContext,
  view: LoadingView,
  overrides: OverrideTable | undefined,
): Done | undefined {
  const { result, reads } = run
  if (callsHosted(run)) return undefined
  if (overrides !== run.overrides || context.fork !== run.context.fork || context.coinbase !== run.context.coinbase)
    return undefined
  if (context.prices !== run.context.prices) return undefined
  if (context.chainId !== run.context.chainId || context.signatures !== run.context.signatures) return undefined
  for (const name of result.readSet.environment) if (context[name] !== run.context[name]) return undefined
  for (const [number, hash] of run.blockHashes) if (view.blockHash(number) !== hash) return undefined
  for (const [index, [address, slot]] of reads.slots.entries())
    if (view.storage(address, slot) !== run.slots[index]) return undefined

  const { coinbase } = context
  const surcharge = surchargeIn(context, message, view, result.gasUsed)
  if (surcharge === undefined) return undefined
  let isRepriced =
    surcharge !== result.surcharge ||
    feesOf(run.message, run.context, 1n) !== feesOf(message, context, 1n) ||
    tipOf(run.message, run.context) !== tipOf(message, context)
  for (const [address, before] of run.accounts) {
    const now = view.account(address)
    if (!now || now.nonce !== before.nonce || now.codeHash !== before.codeHash) return undefined
    if (now.balance === before.balance) continue
    const mayDiffer = address === message.from || address === coinbase || onlyReceives(address, run)
    if (!mayDiffer || isEmpty(now) !== isEmpty(before)) return undefined
    isRepriced = true
  }
  if (!isRepriced) return result
  // A deposit fails where its sender cannot send its value.
  if (message.mint !== undefined) return undefined
  const getsTip = run.accounts.has(coinbase) || tipOf(message, context) === 0n
  if (!getsTip || result.readSet.fees || message.from === coinbase || usesBalanceOf(result, [message.from, coinbase]))
    return undefined
  return new RepricedResult(result, surcharge, repricedDiff(run, message, context, view, surcharge))
}

/** Whether an account without code got the value of the message, and nothing else ran. */
function onlyReceives(address: Address, { message, accounts, result: { frames, framesTruncated } }: AheadRun): boolean {
  const isTransfer = frames.length === 1 && !framesTruncated && address === message.to
  return isTransfer && accounts.get(address)?.codeHash === emptyCodeHash
}

/**
 * Whether a message with a result in another block is valid there too, as far as prices and balances show that. False
 * if the engine must tell.
 */
export function isValidIn(message: Message, context: BlockContext, view: LoadingView): boolean {
  if (message.blobVersionedHashes || context.surcharge || message.gasLimit > context.gasLimit) return false
  const maxFee = message.maxFeePerGas ?? message.gasPrice
  const sender = view.account(message.from)
  return (
    sender !== undefined &&
    sender.nonce === message.nonce &&
    maxFee >= context.baseFee &&
    sender.balance >= message.gasLimit * maxFee + message.value
  )
}

/** What the message pays beside its gas in another block and state; `undefined` while that is not loaded. */
function surchargeIn(context: BlockContext, message: Message, view: LoadingView, gasUsed: bigint): bigint | undefined {
  let isLoaded = true
  const surcharge = context.surcharge?.(message, (address, slot) => {
    const value = view.storage(address, slot)
    isLoaded &&= value !== undefined
    return value ?? 0n
  })
  return isLoaded ? (surcharge?.final(gasUsed) ?? 0n) : undefined
}

/** Whether it called a contract of the chain, whose answers depend on more than what a run reads. */
function callsHosted({ context, result: { frames, framesTruncated } }: AheadRun): boolean {
  if (!context.contracts) return false
  return framesTruncated === true || frames.some(({ to }) => isHosted(context, to))
}

const isEmpty = ({ balance, nonce, codeHash }: Account) => balance === 0n && nonce === 0n && codeHash === emptyCodeHash

/** What the sender pays for an amount of gas, in wei. */
function feesOf(
  { gasPrice, blobVersionedHashes = [] }: Message,
  { blobBaseFee }: BlockContext,
  gasUsed: bigint,
): bigint {
  return gasUsed * gasPrice + BigInt(blobVersionedHashes.length) * blobGasPerBlob * blobBaseFee
}

/** What the coinbase receives per gas, in wei. */
const tipOf = ({ gasPrice }: Message, { baseFee }: BlockContext) => gasPrice - baseFee

/** Whether an inner frame transferred ether to or from one of these addresses, or ran its code. */
function usesBalanceOf({ frames, framesTruncated }: Done, addresses: readonly Address[]): boolean {
  if (framesTruncated) return true
  return frames.some(({ from, to }, index) => addresses.includes(to) || (index > 0 && addresses.includes(from)))
}

/**
 * The changes of the run with the fees of another block, applied to the current balances of sender and coinbase, and of
 * an account that only receives.
 */
function repricedDiff(
  run: AheadRun,
  message: Message,
  context: BlockContext,
  view: LoadingView,
  surcharge: bigint,
): StateDiff {
  const { diff, gasUsed } = run.result
  const accounts = new Map(diff.accounts)
  const reprice = (address: Address, more: bigint) => {
    const before = run.accounts.get(address)?.balance
    const now = view.account(address)?.balance
    if (before === undefined || now === undefined) return
    const { balance: after = before, ...others } = accounts.get(address) ?? {}
    const change = after - before + more
    const changed = { ...others, ...(change !== 0n && { balance: now + change }) }
    if (Object.keys(changed).length > 0) accounts.set(address, changed)
    else accounts.delete(address)
  }
  const before = feesOf(run.message, run.context, gasUsed) + run.result.surcharge
  reprice(message.from, before - feesOf(message, context, gasUsed) - surcharge)
  if (message.to && onlyReceives(message.to, run)) reprice(message.to, 0n)
  reprice(context.coinbase, gasUsed * (tipOf(message, context) - tipOf(run.message, run.context)))
  return { ...diff, accounts }
}
