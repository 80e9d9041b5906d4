import { RawTransactionRow } from '../../../components/TransactionRow.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { usePool } from '../api/pool.ts'

const shown = 20

/** The pending transactions. */
export function Pool() {
  const query = usePool()
  return (
    <Panel title="Pool" note={query.data ? `${query.data.length} pending` : undefined}>
      <Loaded query={query} what="pool" rows={1}>
        {(pool) =>
          pool.length === 0 ? (
            <Empty title="No pending transactions" />
          ) : (
            <div className="divide-y divide-line">
              {pool.slice(0, shown).map((transaction) => (
                <RawTransactionRow key={transaction.hash} transaction={transaction} timestamp={undefined} />
              ))}
              {pool.length > shown && <p className="px-3 py-1.5 text-soft text-xs">and {pool.length - shown} more</p>}
            </div>
          )
        }
      </Loaded>
    </Panel>
  )
}
