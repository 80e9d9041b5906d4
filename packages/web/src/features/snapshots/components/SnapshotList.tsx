import { BlockLink } from '../../../components/HashLink.tsx'
import { formatCount } from '../../../format/amount.ts'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { NameForm } from '../../../ui/forms/NameForm.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type Snapshot, useRevert, useSnapshots, useTakeSnapshot } from '../api/snapshots.ts'

/** Points that the network can be reverted to. */
export function SnapshotList() {
  const query = useSnapshots()
  return (
    <>
      <NameForm submit="Take snapshot" action={useTakeSnapshot()} />
      <Panel>
        <Loaded query={query} what="snapshots" rows={3}>
          {({ snapshots, head }) =>
            snapshots.length === 0 ? (
              <Empty title="No snapshots">
                A snapshot keeps the state of the network. Take one before you try something, and revert to it later.
              </Empty>
            ) : (
              <ul aria-label="Snapshots" className="divide-y divide-line">
                {snapshots.map((snapshot, index) => (
                  <Row key={snapshot.id} snapshot={snapshot} blocks={head - snapshot.block} later={index} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
    </>
  )
}

type RowProps = {
  snapshot: Snapshot
  /** Since the snapshot. */
  blocks: bigint
  /** How many snapshots were taken after this one. */
  later: number
}

function Row({ snapshot, blocks, later }: RowProps) {
  const revert = useRevert()
  const { id, name, block } = snapshot
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2 text-sm">
      <span className="min-w-0 max-w-full truncate font-medium" title={name ?? undefined}>
        {name ?? `Snapshot ${BigInt(id)}`}
      </span>
      <span className="text-soft">
        block <BlockLink number={block} />
      </span>
      <span className="ml-auto">
        <ConfirmButton
          tone="danger"
          title={`Revert to ${name ? `“${name.slice(0, 60)}”` : `snapshot ${BigInt(id)}`}?`}
          explanation={`This deletes ${lossOf(blocks, later)}. Pending transactions and state changes since then are lost. This cannot be undone.`}
          busy={revert.isPending}
          onConfirm={() => revert.mutate(snapshot)}
        >
          Revert
        </ConfirmButton>
      </span>
    </li>
  )
}

const lossOf = (blocks: bigint, later: number): string =>
  [
    ...(blocks > 0n ? [`${formatCount(Number(blocks), 'block')} with their transactions`] : []),
    later === 0 ? 'this snapshot' : `this snapshot and ${formatCount(later, 'later one')}`,
  ].join(', ')
