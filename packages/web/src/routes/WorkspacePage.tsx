import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { StateEditor } from '../features/address/components/StateEditor.tsx'
import { ReadWrite } from '../features/contract/components/ReadWrite.tsx'
import { ContractOverrides } from '../features/overrides/components/ContractOverrides.tsx'
import { TrackedBoard } from '../features/tracking/components/TrackedBoard.tsx'
import { useOverview } from '../features/workspaces/api/workspaces.ts'
import { CallList } from '../features/workspaces/components/CallList.tsx'
import { EventList } from '../features/workspaces/components/EventList.tsx'
import { HistoryList } from '../features/workspaces/components/HistoryList.tsx'
import { MethodTable } from '../features/workspaces/components/MethodTable.tsx'
import { SourceView } from '../features/workspaces/components/SourceView.tsx'
import { StorageTree } from '../features/workspaces/components/StorageTree.tsx'
import { TransactionList } from '../features/workspaces/components/TransactionList.tsx'
import { TransferList } from '../features/workspaces/components/TransferList.tsx'
import { WorkspaceHeader } from '../features/workspaces/components/WorkspaceHeader.tsx'
import { WorkspaceOverview } from '../features/workspaces/components/WorkspaceOverview.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { Tabs } from '../ui/Tabs.tsx'

/** Which tabs a kind of workspace has, in their order. */
const contractTabs = [
  { id: 'overview', name: 'Overview' },
  { id: 'transactions', name: 'Transactions' },
  { id: 'calls', name: 'Calls' },
  { id: 'events', name: 'Events' },
  { id: 'contract', name: 'Read & write' },
  { id: 'storage', name: 'Storage' },
  { id: 'tracked', name: 'Tracked data' },
  { id: 'methods', name: 'Methods' },
  { id: 'overrides', name: 'Overrides' },
  { id: 'history', name: 'History' },
  { id: 'source', name: 'Source' },
]
const walletTabs = [
  { id: 'overview', name: 'Overview' },
  { id: 'transactions', name: 'Transactions' },
  { id: 'transfers', name: 'Transfers' },
  { id: 'calls', name: 'Calls' },
  { id: 'tracked', name: 'Tracked data' },
  { id: 'state', name: 'Edit state' },
]

/** The dashboard of a wallet or a contract. */
export function WorkspacePage() {
  const { id } = useParams({ from: '/workspace/$id' })
  const search = useSearch({ from: '/workspace/$id' })
  const { tab = 'overview', fn, ids, period } = search
  const navigate = useNavigate({ from: '/workspace/$id' })
  const query = useOverview(id)
  const go = (change: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...change }, replace: true, resetScroll: false })
  return (
    <Loaded query={query} what="the workspace" rows={8}>
      {(overview) => {
        const { address, workspace } = overview
        return (
          <>
            <WorkspaceHeader overview={overview} />
            <Tabs
              label="Parts of the workspace"
              tabs={workspace.kind === 'wallet' ? walletTabs : contractTabs}
              chosen={tab}
              onChoose={(next) => void navigate({ search: { tab: next }, replace: true, resetScroll: false })}
            />
            {tab === 'overview' && <WorkspaceOverview overview={overview} />}
            {tab === 'transactions' && <TransactionList id={id} />}
            {tab === 'transfers' && <TransferList id={id} />}
            {tab === 'calls' && <CallList id={id} isWallet={workspace.kind === 'wallet'} />}
            {tab === 'events' && <EventList id={id} />}
            {tab === 'contract' && address && (
              <ReadWrite address={address} chosen={fn} onChoose={(next) => go({ fn: next })} />
            )}
            {tab === 'storage' && address && <StorageTree id={id} address={address} />}
            {tab === 'tracked' && address && (
              <TrackedBoard
                address={address}
                chosen={ids?.split(',').filter(Boolean)}
                period={period}
                onChange={(change) => go(change)}
              />
            )}
            {tab === 'methods' && <MethodTable id={id} />}
            {tab === 'overrides' && address && <ContractOverrides contract={address} />}
            {tab === 'state' && address && <StateEditor address={address} />}
            {tab === 'history' && <HistoryList id={id} />}
            {tab === 'source' && <SourceView overview={overview} />}
          </>
        )
      }}
    </Loaded>
  )
}
