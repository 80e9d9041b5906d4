import { useQuery } from '@tanstack/react-query'
import { numberToHex, type RpcTransactionReceipt } from 'viem'
import { isHash } from '../../../format/hash.ts'
import { blockFrom, type FullBlock, type Receipt, type RpcFullBlock, receiptFrom } from '../../../lib/chain/block.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

/** A block by number, tag or hash, with its receipts; `null` when it does not exist. */
export function useBlock(id: string) {
  return useQuery({
    // A number can name another block after evm_revert.
    queryKey: [isHash(id) ? 'fixed' : 'head', 'block', id],
    async queryFn(): Promise<{ block: FullBlock; receipts: Receipt[] } | null> {
      const raw = isHash(id)
        ? await rpc<RpcFullBlock | null>('eth_getBlockByHash', id, true)
        : await rpc<RpcFullBlock | null>('eth_getBlockByNumber', numberOrTag(id), true)
      if (!raw) return null
      const receipts = await rpc<RpcTransactionReceipt[] | null>('eth_getBlockReceipts', raw.hash)
      return { block: blockFrom(raw), receipts: (receipts ?? []).map(receiptFrom) }
    },
  })
}

function numberOrTag(id: string): string {
  return /^\d+$/.test(id) ? numberToHex(BigInt(id)) : id
}
