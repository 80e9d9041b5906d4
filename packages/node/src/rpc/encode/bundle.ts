import { hexFromBytes } from '../../shared/hex.ts'
import type { BundledTransaction, BundleResult } from '../../simulation/callBundle.ts'

/** The result of `eth_callBundle`: amounts of wei in decimal digits, as Flashbots gives them. */
export function encodeBundle({ hash, transactions }: BundleResult, stateBlock: bigint) {
  const sumOf = (field: (transaction: BundledTransaction) => bigint) =>
    transactions.reduce((sum, transaction) => sum + field(transaction), 0n)
  const gasUsed = sumOf(({ result }) => result.gasUsed)
  const whole = { coinbaseDiff: sumOf(({ coinbaseDiff }) => coinbaseDiff), gasFees: sumOf(({ gasFees }) => gasFees) }
  return {
    bundleHash: hash,
    bundleGasPrice: (gasUsed === 0n ? 0n : whole.coinbaseDiff / gasUsed).toString(),
    ...encodeSums(whole),
    stateBlockNumber: Number(stateBlock),
    totalGasUsed: Number(gasUsed),
    results: transactions.map(encodeBundled),
  }
}

function encodeBundled(transaction: BundledTransaction) {
  const { hash, from, to, gasPrice, result } = transaction
  const output = hexFromBytes(result.output)
  return {
    txHash: hash,
    fromAddress: from,
    toAddress: to ?? null,
    gasPrice: gasPrice.toString(),
    gasUsed: Number(result.gasUsed),
    ...encodeSums(transaction),
    ...(result.status === 'success' && { value: output }),
    ...(result.status === 'revert' && { error: 'execution reverted', revert: output }),
    ...(result.status === 'halt' && { error: result.halt ?? 'execution failed' }),
  }
}

function encodeSums({ coinbaseDiff, gasFees }: Pick<BundledTransaction, 'coinbaseDiff' | 'gasFees'>) {
  return {
    coinbaseDiff: coinbaseDiff.toString(),
    ethSentToCoinbase: (coinbaseDiff - gasFees).toString(),
    gasFees: gasFees.toString(),
  }
}
