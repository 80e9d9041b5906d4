import type { Word } from '@understudy/evm'
import { currentBudget } from '../../shared/budget/requestBudget.ts'
import { listFromAnswer } from '../../upstream/answers.ts'
import type { AskOptional, AskUpstream, Raw } from '../origins.ts'
import { removedThere } from './blockFinder.ts'

/** Reads the receipts of a block of upstream: in one call, or one by one where upstream refuses that. */
export async function loadUpstreamReceipts(
  block: Raw,
  { upstream, ask }: { upstream: AskUpstream; ask: AskOptional },
): Promise<Raw[]> {
  const hashes = listFromAnswer('eth_getBlockByHash', block.transactions)
  // A reorg may have replaced it by another block.
  for (const tag of [block.number, block.hash]) {
    const all = await ask('eth_getBlockReceipts', [tag], { hasFallback: true })
    if (all === undefined) break
    if (all === null) continue
    const receipts = listFromAnswer('eth_getBlockReceipts', all)
    const isWhole = receipts.length > 0 || hashes.length === 0
    if (isWhole && receipts.every(({ blockHash }) => blockHash === block.hash)) return receipts
  }
  const found = await loadEachReceipt(upstream, hashes)
  const receipts = found.filter((receipt) => receipt !== null && receipt.blockHash === block.hash)
  if (receipts.length < hashes.length) throw removedThere(block.hash as Word)
  return receipts as Raw[]
}

/** One by one, in batches. Each counts as a value of the live chain. */
export function loadEachReceipt(upstream: AskUpstream, hashes: readonly unknown[]): Promise<(Raw | null)[]> {
  currentBudget()?.keys.take(hashes.length)
  return Promise.all(hashes.map((hash) => upstream<Raw | null>('eth_getTransactionReceipt', [hash])))
}
