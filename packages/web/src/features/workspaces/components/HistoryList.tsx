import { Account } from '../../../components/Account.tsx'
import { BlockLink } from '../../../components/HashLink.tsx'
import { Age } from '../../../ui/Age.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useHistory } from '../api/details.ts'

/** The versions of a contract with their changes, and the deployments. */
export function HistoryList({ id }: { id: string }) {
  const query = useHistory(id)
  return (
    <Loaded query={query} what="history" rows={6}>
      {({ versions, deployments }) => (
        <div className="grid items-start gap-4 xl:grid-cols-2">
          <Panel title="Versions" note={`${versions.length}`}>
            {versions.length === 0 && (
              <Empty title="No versions">Imported contracts and contracts with a given ABI have versions.</Empty>
            )}
            <ol className="divide-y divide-line">
              {versions.map(({ id: key, number, createdAt, sourcePath, hasStorageLayout, added, removed }) => (
                <li key={key} className="space-y-1 px-3 py-2 text-sm">
                  <p className="flex flex-wrap items-center gap-2">
                    <span className="font-medium">Version {number}</span>
                    {sourcePath && <span className="hex text-soft text-xs">{sourcePath}</span>}
                    {hasStorageLayout && <Badge>storage layout</Badge>}
                    <span className="ml-auto text-xs">
                      <Age at={Date.parse(createdAt)} />
                    </span>
                  </p>
                  {added.map((item) => (
                    <p key={item} className="hex text-good text-xs">
                      + {item}
                    </p>
                  ))}
                  {removed.map((item) => (
                    <p key={item} className="hex text-bad text-xs">
                      − {item}
                    </p>
                  ))}
                </li>
              ))}
            </ol>
          </Panel>
          <Panel title="Deployments" note={`${deployments.length}`}>
            {deployments.length === 0 && <Empty title="No deployments yet" />}
            <ul className="divide-y divide-line">
              {deployments.map(({ id: key, versionId, address, blockNumber }) => (
                <li key={key} className="flex min-h-9 flex-wrap items-center gap-3 px-3 py-1.5">
                  <Account address={address} full copy />
                  <Badge>version {versions.find((version) => version.id === versionId)?.number ?? '?'}</Badge>
                  {blockNumber !== null && (
                    <span className="ml-auto text-xs">
                      block <BlockLink number={blockNumber} />
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </Panel>
        </div>
      )}
    </Loaded>
  )
}
