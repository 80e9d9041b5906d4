import type { Hex } from 'viem'
import { Account } from '../../../components/Account.tsx'
import { DecodedArgs } from '../../../components/DecodedArgs.tsx'
import { TransferRow } from '../../../components/TransferRow.tsx'
import { listedLabel } from '../../../lib/abi/selectors.ts'
import { useDecoded } from '../../../lib/chain/decoded.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { PagedList } from '../../../ui/PagedList.tsx'
import { type Entry, type Subject, useWorkspaceList } from '../api/workspaces.ts'
import { ActivityRow } from './ActivityRow.tsx'

/** The transactions that involve the address, also through internal calls. */
export function TransactionList({ subject }: { subject: Subject }) {
  const query = useWorkspaceList(subject, 'Transactions')
  return (
    <PagedList title="Transactions" query={query} keyOf={({ transactionHash }) => transactionHash}>
      {(entry) => <TransactionRow entry={entry} />}
    </PagedList>
  )
}

function TransactionRow({ entry }: { entry: Entry<'Transactions'> }) {
  const { transactionHash, status, from, to, function: fn, revert } = entry
  const details = () => (
    <>
      <div className="p-2.5">
        <p className="mb-1 text-soft">Arguments</p>
        {fn ? <DecodedArgs item={fn} /> : <span className="text-soft">Unknown</span>}
      </div>
      <Transfers hash={transactionHash} />
    </>
  )
  return (
    <ActivityRow name={listedLabel(entry)} title={fn?.signature} entry={entry} details={details}>
      {status === 'failed' && <Badge tone="bad">{revert?.reason ? `reverted: ${revert.reason}` : 'reverted'}</Badge>}
      <span className="flex min-w-0 items-center gap-1.5">
        <Account address={from} />
        <span className="text-soft">
          <Icon name="right" size={12} />
        </span>
        {to ? <Account address={to} /> : <span className="text-soft">new contract</span>}
      </span>
    </ActivityRow>
  )
}

/** Its transfers. */
function Transfers({ hash }: { hash: Hex }) {
  const query = useDecoded(hash)
  return (
    <Loaded query={query} what="transfers" rows={1}>
      {({ transfers }) => (
        <ul className="divide-y divide-line border-line border-t">
          {(transfers ?? []).map((transfer, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the transfers of a transaction have a fixed order
            <li key={index}>
              <TransferRow transfer={transfer} />
            </li>
          ))}
          {(transfers ?? []).length === 0 && <li className="p-2.5 text-soft">No transfers</li>}
        </ul>
      )}
    </Loaded>
  )
}
