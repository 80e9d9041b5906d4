import { Navigate, useParams, useSearch } from '@tanstack/react-router'
import { useOverview } from '../features/workspaces/api/workspaces.ts'
import { AbiView } from '../features/workspaces/components/AbiView.tsx'
import { HistoryList } from '../features/workspaces/components/HistoryList.tsx'
import { UndeployedHeader } from '../features/workspaces/components/WorkspaceHeader.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { Panel } from '../ui/Panel.tsx'

/** A workspace is shown at its address. Until its contract is deployed, its versions are shown here. */
export function WorkspacePage() {
  const { id } = useParams({ from: '/workspace/$id' })
  const search = useSearch({ from: '/workspace/$id' })
  const query = useOverview({ id })
  return (
    <Loaded query={query} what="workspace" rows={8}>
      {(overview) =>
        overview.address ? (
          <Navigate to="/address/$address" params={{ address: overview.address }} search={search} replace />
        ) : (
          <>
            <UndeployedHeader overview={overview} />
            <Panel>
              <Empty title="Not deployed yet">
                The network recognises deployments of this contract by their bytecode.
              </Empty>
            </Panel>
            <HistoryList id={id} />
            {overview.contract && <AbiView contract={overview.contract} />}
          </>
        )
      }
    </Loaded>
  )
}
