import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { numberToHex } from 'viem'
import { rpc } from '../rpc/rpc.ts'
import { blockFrom, type FullBlock, type RpcFullBlock } from './block.ts'

/** The latest blocks with their transactions, newest first. */
export function useRecentBlocks(count: number) {
  return useQuery({
    queryKey: ['head', 'recentBlocks', count],
    queryFn: async () => loadBlocks(BigInt(await rpc<string>('eth_blockNumber')), count),
    placeholderData: (before: FullBlock[] | undefined) => before,
  })
}

const pageSize = 50

/** All blocks from `top` down to `bottom`, page by page. */
export function useBlocksBelow(top: bigint | undefined, bottom: bigint) {
  return useInfiniteQuery({
    queryKey: ['fixed', 'blocks', String(top), String(bottom)],
    enabled: top !== undefined,
    initialPageParam: top ?? 0n,
    queryFn: ({ pageParam }) => loadBlocks(pageParam, Math.min(pageSize, Number(pageParam - bottom) + 1)),
    getNextPageParam: (page) => {
      const last = page.at(-1)
      return last && last.number > bottom ? last.number - 1n : undefined
    },
  })
}

async function loadBlocks(top: bigint, count: number): Promise<FullBlock[]> {
  const numbers = Array.from({ length: count }, (_, index) => top - BigInt(index)).filter((number) => number >= 0n)
  const blocks = await Promise.all(
    numbers.map((number) => rpc<RpcFullBlock | null>('eth_getBlockByNumber', numberToHex(number), true)),
  )
  return blocks.flatMap((raw) => (raw ? [blockFrom(raw)] : []))
}
