import { currentBudget } from '../../shared/budget/requestBudget.ts'
import { NetworkError } from '../../shared/errors.ts'
import { listFromAnswer } from '../../upstream/answers.ts'
import type { AskOptional } from './askOptional.ts'
import type { AskUpstream, Raw } from './origins.ts'

/** Reads the receipts of a block of upstream: in one call, or one by one where upstream does not have that method. */
export async function loadUpstreamReceipts(
  block: Raw,
  { upstream, ask }: { upstream: AskUpstream; ask: AskOptional },
): Promise<Raw[] | undefined> {
  const all = await ask('eth_getBlockReceipts', [block.number])
  if (all === null) return undefined
  if (all !== undefined) return listFromAnswer('eth_getBlockReceipts', all)
  const hashes = listFromAnswer('eth_getBlockByHash', block.transactions)
  currentBudget()?.keys.take(hashes.length)
  const found = await Promise.all(hashes.map((hash) => upstream<Raw | null>('eth_getTransactionReceipt', [hash])))
  const receipts = found.filter((receipt) => receipt !== null && receipt.blockHash === block.hash)
  if (receipts.length < hashes.length)
    throw new NetworkError('UPSTREAM_ERROR', { problem: `it does not have all receipts of block ${block.hash}` })
  return receipts as Raw[]
}
