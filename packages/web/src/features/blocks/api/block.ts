import { useQuery } from '@tanstack/react-query'
import { type Block, blockFrom, type RawBlock } from '../../../lib/chain/block.ts'
import { type RawReceipt, type Receipt, receiptFrom } from '../../../lib/chain/transaction.ts'
import { isHash } from '../../../lib/format/hash.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

/** A block by number, tag or hash, with its receipts; `null` when there is none. */
export function useBlock(id: string) {
  return useQuery({
    // A block by number may be another one after evm_revert.
    queryKey: [isHash(id) ? 'fixed' : 'head', 'block', id],
    async queryFn(): Promise<{ block: Block; receipts: Receipt[] } | null> {
      const raw = isHash(id)
        ? await rpc<RawBlock | null>('eth_getBlockByHash', id, true)
        : await rpc<RawBlock | null>('eth_getBlockByNumber', numberOrTag(id), true)
      if (!raw) return null
      const receipts = await rpc<RawReceipt[] | null>('eth_getBlockReceipts', raw.hash)
      return { block: blockFrom(raw), receipts: (receipts ?? []).map(receiptFrom) }
    },
  })
}

function numberOrTag(id: string): string {
  return /^\d+$/.test(id) ? `0x${BigInt(id).toString(16)}` : id
}
