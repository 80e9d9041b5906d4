import { DecodedArgs } from '../../../components/DecodedArgs.tsx'
import { BlockLink, TransactionLink } from '../../../components/HashLink.tsx'
import { Age } from '../../../ui/Age.tsx'
import { PagedList } from '../../../ui/PagedList.tsx'
import { type Subject, useWorkspaceList } from '../api/workspaces.ts'

export function EventList({ subject }: { subject: Subject }) {
  const query = useWorkspaceList(subject, 'Events')
  return (
    <PagedList title="Events" query={query} keyOf={({ blockNumber, logIndex }) => `${blockNumber}-${logIndex}`}>
      {({ transactionHash, blockNumber, timestamp, event, topics, data }) => (
        <div className="grid gap-x-4 gap-y-1 px-3 py-2 text-sm md:grid-cols-[10rem_minmax(0,1fr)_auto]">
          <span className="font-medium" title={event?.signature}>
            {event?.name ?? <span className="text-soft">unknown event</span>}
          </span>
          <span className="min-w-0 text-xs">
            {event ? (
              <DecodedArgs item={event} />
            ) : (
              <span className="hex break-all">{[...topics, data].join(' ')}</span>
            )}
          </span>
          <span className="flex items-center gap-3 text-xs">
            <BlockLink number={blockNumber} />
            <TransactionLink hash={transactionHash} />
            <Age at={Date.parse(timestamp)} />
          </span>
        </div>
      )}
    </PagedList>
  )
}
