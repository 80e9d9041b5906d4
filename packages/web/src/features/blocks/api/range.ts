import { useState } from 'react'
import { useBlocksBelow } from '../../../lib/chain/activity.ts'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'

/** The blocks below a fixed head, down to the fork or further. New blocks do not move the list. */
export function useBlockRange() {
  const { data: info, error, refetch } = useNetworkInfo()
  const [chosenTop, setTop] = useState<number>()
  const [isWhole, setWhole] = useState(false)
  const top = chosenTop ?? info?.head.number
  if (chosenTop === undefined && info) setTop(info.head.number)
  const origin = info?.origin.number ?? 0
  const query = useBlocksBelow(
    top === undefined || !info ? undefined : BigInt(top),
    isWhole || (top ?? 0) <= origin ? 0n : BigInt(origin + (info?.upstream ? 1 : 0)),
  )
  return {
    error: error ?? query.error,
    retry: () => void (error ? refetch() : query.refetch()),
    blocks: query.data?.pages.flat(),
    more: query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined,
    isLoadingMore: query.isFetchingNextPage,
    /** How many blocks were added since. */
    newer: info && top !== undefined ? info.head.number - top : 0,
    showNewest: () => setTop(info?.head.number),
    /** Loads the blocks of the live chain from before the fork. */
    continueBeforeFork: !isWhole && info?.upstream && !query.hasNextPage ? () => setWhole(true) : undefined,
  }
}

/** The transactions in a block of the live chain and in those below it, newest first. */
export function useTransactionsBelow(top: bigint) {
  const query = useBlocksBelow(top, 0n)
  const rows = (query.data?.pages.flat() ?? []).flatMap(({ transactions, timestamp }) =>
    transactions.toReversed().map((transaction) => ({ transaction, timestamp })),
  )
  return {
    rows,
    error: query.error,
    retry: () => void query.refetch(),
    more: query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined,
    isLoading: query.isFetching,
  }
}
