import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address } from 'viem'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { type Result, rpc } from '../../../lib/rpc/rpc.ts'

type Page = Result<'dev_getTransactions'>
export type ListedTransaction = Page['items'][number]

const pageSize = 100

/** Which transactions are listed: all, without filters. */
export type TransactionFilter = { address?: Address; status?: 'success' | 'failed' }

/** The transactions of this network up to a fixed block, newest first. New ones do not move the list. */
export function useTransactions(filter: TransactionFilter) {
  const { data: info, error, refetch } = useNetworkInfo()
  const [chosenTop, setTop] = useState<number>()
  const top = chosenTop ?? info?.head.number
  if (chosenTop === undefined && info) setTop(info.head.number)
  const query = useInfiniteQuery({
    queryKey: ['fixed', 'transactions', top, filter],
    enabled: top !== undefined,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      rpc('dev_getTransactions', { ...filter, limit: pageSize, cursor: pageParam, toBlock: top as number }),
    getNextPageParam: (page: Page) => page.next ?? undefined,
    placeholderData: (before) => before,
  })
  const newer = useQuery({
    queryKey: ['local', 'newerTransactions', top, filter],
    enabled: top !== undefined,
    queryFn: async () =>
      (await rpc('dev_getTransactions', { ...filter, limit: pageSize, fromBlock: (top as number) + 1 })).items.length,
  })
  return {
    error: error ?? query.error,
    retry: () => void (error ? refetch() : query.refetch()),
    items: query.data?.pages.flatMap((page) => page.items),
    more: query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined,
    isWhole: query.data !== undefined && !query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    /** How many were added since, up to a page. */
    newer: newer.data ?? 0,
    showNewest: () => setTop(info?.head.number),
    /** The last block of the live chain below them; `undefined` if nothing is forked. */
    origin: info?.upstream ? info.origin.number : undefined,
  }
}
