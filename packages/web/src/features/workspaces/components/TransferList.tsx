import { TransactionLink } from '../../../components/HashLink.tsx'
import { TransferRow } from '../../../components/TransferRow.tsx'
import { Age } from '../../../ui/Age.tsx'
import { PagedList } from '../../../ui/PagedList.tsx'
import { type Subject, useWorkspaceList } from '../api/workspaces.ts'

/** Ether and tokens that the wallet sent or received. */
export function TransferList({ subject }: { subject: Subject }) {
  const query = useWorkspaceList(subject, 'Transfers')
  return (
    <PagedList title="Transfers" query={query} keyOf={(transfer) => JSON.stringify(transfer)}>
      {(transfer) => (
        <TransferRow
          transfer={transfer}
          before={<TransactionLink hash={transfer.transactionHash} />}
          after={
            <span className="w-16 text-right text-xs">
              <Age at={Date.parse(transfer.timestamp)} />
            </span>
          }
        />
      )}
    </PagedList>
  )
}
