import { useEffect, useState } from 'react'
import { SavedViews } from '../../../components/SavedViews.tsx'
import { RawTransactionRow, TransactionRow } from '../../../components/TransactionRow.tsx'
import { formatCount, formatInteger } from '../../../format/amount.ts'
import { isAnyAddress } from '../../../format/hash.ts'
import { listedLabel } from '../../../lib/abi/selectors.ts'
import { Button } from '../../../ui/Button.tsx'
import { download } from '../../../ui/download.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { VirtualList } from '../../../ui/VirtualList.tsx'
import { transactionsCsv } from '../api/export.ts'
import { useTransactionsBelow } from '../api/range.ts'
import { useTransactions } from '../api/transactions.ts'
import { TransactionFilters } from './TransactionFilters.tsx'

/** The filters, as the URL has them. */
export type TransactionSearch = { address?: string; status?: string }

type Props = { search: TransactionSearch; onSearch: (search: TransactionSearch) => void }

/** The transactions of this network, newest first; below them, those of the live chain. */
export function TransactionList({ search, onSearch }: Props) {
  const address = search.address && isAnyAddress(search.address) ? search.address : undefined
  const status = search.status === 'success' || search.status === 'failed' ? search.status : undefined
  const isFiltered = address !== undefined || status !== undefined
  const { error, retry, items, more, isWhole, isLoadingMore, newer, showNewest, origin } = useTransactions({
    ...(address && { address }),
    ...(status && { status }),
  })
  const [isOlderShown, showOlder] = useState(false)
  return (
    <>
      <Panel
        title="Transactions"
        note={
          items && `${formatInteger(items.length)}${isWhole ? '' : '+'} ${isFiltered ? 'found' : 'on this network'}`
        }
        actions={
          <>
            {newer > 0 && (
              <Button tone="quiet" onClick={showNewest}>
                Show {formatCount(newer, 'new transaction')}
              </Button>
            )}
            <SavedViews page="transactions" search={search} onOpen={onSearch} />
            {items && items.length > 0 && (
              <>
                <Button onClick={() => download('transactions.csv', transactionsCsv(items))}>CSV</Button>
                <Button
                  onClick={() => download('transactions.json', JSON.stringify(items, null, 2), 'application/json')}
                >
                  JSON
                </Button>
              </>
            )}
          </>
        }
      >
        <TransactionFilters search={search} onSearch={onSearch} />
        {items ? (
          items.length === 0 &&
          (isFiltered ? (
            <Empty title="No such transaction">No transaction of this network matches the filters.</Empty>
          ) : (
            <Empty title="No transactions on this network yet">
              Connect any Ethereum tool to this URL, or fund an account with the faucet.
            </Empty>
          ))
        ) : error ? (
          <Problem error={error} onRetry={retry} />
        ) : (
          <Skeleton what="transactions" rows={12} />
        )}
        {items && items.length > 0 && (
          <VirtualList
            items={items}
            rowHeight={37}
            keyOf={({ transactionHash }) => transactionHash}
            onEnd={more}
            label="Transactions"
          >
            {(listed) => (
              <TransactionRow
                transaction={{
                  hash: listed.transactionHash,
                  from: listed.from,
                  to: listed.to,
                  value: BigInt(listed.value),
                  blockNumber: BigInt(listed.blockNumber),
                }}
                method={listedLabel(listed)}
                timestamp={BigInt(Date.parse(listed.timestamp) / 1000)}
                failed={listed.status === 'failed'}
                showBlock
              />
            )}
          </VirtualList>
        )}
        {isLoadingMore && <Skeleton what="older transactions" rows={2} />}
      </Panel>
      {!isFiltered && isWhole && origin !== undefined && !isOlderShown && (
        <div className="flex justify-center">
          <Button onClick={() => showOlder(true)}>Show live-chain transactions from before the fork</Button>
        </div>
      )}
      {!isFiltered && isOlderShown && origin !== undefined && <OlderTransactions origin={BigInt(origin)} />}
    </>
  )
}

const firstView = 40

/** The transactions of the live chain below the fork. It has no index of them, so its blocks are read. */
function OlderTransactions({ origin }: { origin: bigint }) {
  const { rows, error, retry, more, isLoading } = useTransactionsBelow(origin)
  // Blocks can be empty: loads more until the first view is full.
  useEffect(() => {
    if (rows.length < firstView) more?.()
  }, [rows.length, more])
  return (
    <Panel title="Before the fork" note="On the live chain">
      {error ? <Problem error={error} onRetry={retry} /> : null}
      {rows.length === 0 && !more && !isLoading && !error && <Empty title="No transactions before the fork" />}
      {rows.length > 0 && (
        <VirtualList
          items={rows}
          rowHeight={37}
          keyOf={({ transaction }) => transaction.hash}
          onEnd={more}
          label="Transactions before the fork"
        >
          {({ transaction, timestamp }) => <RawTransactionRow {...{ transaction, timestamp }} showBlock />}
        </VirtualList>
      )}
      {isLoading && <Skeleton what="older transactions" rows={2} />}
    </Panel>
  )
}
