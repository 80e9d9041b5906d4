import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { numberToHex } from 'viem'
import { rpc } from '../rpc/rpc.ts'
import { blockFrom, type FullBlock, type RpcFullBlock } from './block.ts'

/** The latest blocks with their transactions, newest first. */
export function useRecentBlocks(count: number) {
  return useQuery<FullBlock[]>({
    queryKey: ['head', 'recentBlocks', count],
    queryFn: ({ client, queryKey }) => loadRecent(count, client.getQueryData<FullBlock[]>(queryKey)),
    placeholderData: (before) => before,
    // Blocks that are still listed stay the same objects, so that their rows are not rendered again.
    structuralSharing: false,
  })
}

/** Loads the blocks since `before`, and the newest of those, which shows whether the others are still there. */
async function loadRecent(count: number, before: readonly FullBlock[] = []): Promise<FullBlock[]> {
  const top = BigInt(await rpc<string>('eth_blockNumber'))
  const [newest] = before
  const added = newest && before.length === count ? Number(top - newest.number) : count
  if (!newest || added < 0 || added >= count) return loadNewest(top, count)
  const blocks = await loadNewest(top, added + 1)
  if (blocks.length !== added + 1 || blocks.at(-1)?.hash !== newest.hash) return loadNewest(top, count)
  return [...blocks.slice(0, -1), ...before].slice(0, count)
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
  return (await Promise.all(requestBlocks(top, count))).flatMap((raw) => (raw ? [blockFrom(raw)] : []))
}

/** Those that can be loaded: while the live chain is away, blocks from before the fork cannot. */
async function loadNewest(top: bigint, count: number): Promise<FullBlock[]> {
  const answers = await Promise.allSettled(requestBlocks(top, count))
  const failed = answers.findIndex(({ status }) => status === 'rejected')
  const [first] = answers
  if (first?.status === 'rejected') throw first.reason
  return answers
    .slice(0, failed === -1 ? count : failed)
    .flatMap((answer) => (answer.status === 'fulfilled' && answer.value ? [blockFrom(answer.value)] : []))
}

function requestBlocks(top: bigint, count: number): Promise<RpcFullBlock | null>[] {
  const numbers = Array.from({ length: count }, (_, index) => top - BigInt(index)).filter((number) => number >= 0n)
  return numbers.map((number) => rpc<RpcFullBlock | null>('eth_getBlockByNumber', numberToHex(number), true))
}
