import type { Address, BlockContext, Done, Hex, Word } from '@understudy/evm'
import { messageFrom } from '../chain/run/blockContext.ts'
import { decodeTransaction } from '../ethereum/decodeTransaction.ts'
import type { Transaction } from '../ethereum/transaction.ts'
import { runLoaded } from '../execution/run.ts'
import type { ComputingTime } from '../shared/budget/computingTime.ts'
import type { Engine } from '../shared/engine.ts'
import { NetworkError } from '../shared/errors.ts'
import { bytesFromHex } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import { Overlay } from '../state/overlay.ts'
import { type LoadingView, loadAccountField } from '../state/view.ts'

/** Signed transactions that run in order in one block; `block` replaces values of that block. */
export type BundleRequest = { transactions: readonly Hex[]; block: Partial<BlockContext> }

export type BundledTransaction = {
  hash: Word
  from: Address
  to: Address | undefined
  /** What it pays per gas, in wei. */
  gasPrice: bigint
  /** What the coinbase gained, in wei: tips, and ether that was sent to it. */
  coinbaseDiff: bigint
  /** The part of it that is tips. */
  gasFees: bigint
  result: Done
}

export type BundleResult = { hash: Word; transactions: BundledTransaction[] }

type Where = {
  at: { block: BlockContext; view: LoadingView }
  engine: Engine
  gasLimit: bigint
  time: ComputingTime
}

/** Runs signed transactions, each on the state after the previous one. Throws if one is invalid. */
export async function callBundle(
  { transactions, block: changed }: BundleRequest,
  { at, engine, gasLimit, time }: Where,
): Promise<BundleResult> {
  const block = { ...at.block, ...changed }
  const overlay = new Overlay(at.view)
  let gasLeft = gasLimit
  const results: BundledTransaction[] = []
  for (const transaction of transactions.map(decodeTransaction)) {
    if (transaction.gasLimit > gasLeft)
      throw new NetworkError('LIMIT_EXCEEDED', { what: 'the transactions use more gas together', limit: gasLimit })
    const run = await runBundled(transaction, block, overlay, engine, time)
    gasLeft -= run.result.gasUsed
    results.push(run)
  }
  return { hash: bundleHash(results), transactions: results }
}

async function runBundled(
  transaction: Transaction,
  block: BlockContext,
  overlay: Overlay,
  engine: Engine,
  time: ComputingTime,
): Promise<BundledTransaction> {
  const before = await loadAccountField(overlay, block.coinbase, 'balance')
  const message = messageFrom(transaction, block)
  const result = await runLoaded(engine, message, block, overlay, { kind: 'transaction', time })
  overlay.apply(result.diff)
  const { hash, from, to } = transaction
  const coinbaseDiff = (await loadAccountField(overlay, block.coinbase, 'balance')) - before
  const gasFees = result.gasUsed * (message.gasPrice - block.baseFee)
  return { hash, from, to, gasPrice: message.gasPrice, coinbaseDiff, gasFees, result }
}

/** As Flashbots names bundles: the hash of the hashes of their transactions. */
function bundleHash(transactions: readonly { hash: Word }[]): Word {
  return keccak(bytesFromHex(`0x${transactions.map(({ hash }) => hash.slice(2)).join('')}`))
}
