import { TransactionLink } from '../../../components/HashLink.tsx'
import { TransferRow } from '../../../components/TransferRow.tsx'
import { Age } from '../../../ui/Age.tsx'
import { PagedList } from '../../../ui/PagedList.tsx'
import { type Place, useWorkspaceList } from '../api/workspaces.ts'

/** Ether and tokens that the wallet sent or received. */
export function TransferList({ place }: { place: Place }) {
  const query = useWorkspaceList(place, 'Transfers')
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
