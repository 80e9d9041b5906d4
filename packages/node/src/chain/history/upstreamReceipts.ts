import type { Word } from '@understudy/evm'
import { currentBudget } from '../../shared/budget/requestBudget.ts'
import { listFromAnswer } from '../../upstream/answers.ts'
import type { AskOptional } from './askOptional.ts'
import { removedThere } from './blockFinder.ts'
import type { AskUpstream, Raw } from './origins.ts'

/** Reads the receipts of a block of upstream: in one call, or one by one where upstream does not have that method. */
export async function loadUpstreamReceipts(
  block: Raw,
  { upstream, ask }: { upstream: AskUpstream; ask: AskOptional },
): Promise<Raw[]> {
  const hashes = listFromAnswer('eth_getBlockByHash', block.transactions)
  // A reorg may have put another block in its place.
  for (const tag of [block.number, block.hash]) {
    const all = (await ask('eth_getBlockReceipts', [tag])) ?? undefined
    if (all === undefined) continue
    const receipts = listFromAnswer('eth_getBlockReceipts', all)
    const isWhole = receipts.length > 0 || hashes.length === 0
    if (isWhole && receipts.every(({ blockHash }) => blockHash === block.hash)) return receipts
  }
  currentBudget()?.keys.take(hashes.length)
  const found = await Promise.all(hashes.map((hash) => upstream<Raw | null>('eth_getTransactionReceipt', [hash])))
  const receipts = found.filter((receipt) => receipt !== null && receipt.blockHash === block.hash)
  if (receipts.length < hashes.length) throw removedThere(block.hash as Word)
  return receipts as Raw[]
}
