import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { Address } from 'viem'
import { StateEditor } from '../features/address/components/StateEditor.tsx'
import { ReadWrite } from '../features/contract/components/ReadWrite.tsx'
import { ContractOverrides } from '../features/overrides/components/ContractOverrides.tsx'
import { TrackedBoard } from '../features/tracking/components/TrackedBoard.tsx'
import { type Overview, useOverview } from '../features/workspaces/api/workspaces.ts'
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
import { periodFrom } from '../lib/period/period.ts'
import { Empty } from '../ui/Empty.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { Panel } from '../ui/Panel.tsx'
import { useMay } from '../ui/role.ts'
import { Tabs } from '../ui/Tabs.tsx'

/** What a tab renders; `go` changes the search parameters of the URL. */
type Context = { id: string; overview: Overview; search: Search; go: (change: Partial<Search>) => void }
type Search = ReturnType<typeof useWorkspaceSearch>
type DeployedContext = Context & { address: Address }

type Tab = { id: string; name: string; of: 'wallet' | 'contract' | 'both' } & (
  | { draw: (context: Context) => React.ReactNode }
  | { drawDeployed: (context: DeployedContext) => React.ReactNode }
)

/** The tabs, in their order. */
const tabs: readonly Tab[] = [
  {
    id: 'overview',
    name: 'Overview',
    of: 'both',
    draw: ({ overview, search, go }) => (
      <WorkspaceOverview overview={overview} period={periodFrom(search.period)} onPeriod={(period) => go({ period })} />
    ),
  },
  { id: 'transactions', name: 'Transactions', of: 'both', draw: ({ id }) => <TransactionList id={id} /> },
  { id: 'transfers', name: 'Transfers', of: 'wallet', draw: ({ id }) => <TransferList id={id} /> },
  {
    id: 'calls',
    name: 'Calls',
    of: 'both',
    draw: ({ id, overview, search, go }) => (
      <CallList
        id={id}
        isWallet={overview.workspace.kind === 'wallet'}
        outcome={search.outcome}
        onOutcome={(outcome) => go({ outcome })}
      />
    ),
  },
  { id: 'events', name: 'Events', of: 'contract', draw: ({ id }) => <EventList id={id} /> },
  {
    id: 'contract',
    name: 'Read & write',
    of: 'contract',
    drawDeployed: ({ address, search, go }) => (
      <ReadWrite address={address} chosen={search.fn} onChoose={(fn) => go({ fn })} />
    ),
  },
  {
    id: 'storage',
    name: 'Storage',
    of: 'contract',
    drawDeployed: ({ id, address, search, go }) => (
      <StorageTree id={id} address={address} path={search.path} onPath={(path) => go({ path })} />
    ),
  },
  {
    id: 'tracked',
    name: 'Tracked data',
    of: 'both',
    drawDeployed: ({ address, search, go }) => (
      <TrackedBoard
        address={address}
        chosen={search.ids?.split(',').filter(Boolean)}
        period={search.period}
        onChange={go}
      />
    ),
  },
  { id: 'methods', name: 'Methods', of: 'contract', draw: ({ id }) => <MethodTable id={id} /> },
  {
    id: 'overrides',
    name: 'Overrides',
    of: 'contract',
    drawDeployed: ({ address }) => <ContractOverrides contract={address} />,
  },
  { id: 'state', name: 'Edit state', of: 'both', drawDeployed: ({ address }) => <StateEditor address={address} /> },
  { id: 'history', name: 'History', of: 'contract', draw: ({ id }) => <HistoryList id={id} /> },
  {
    id: 'source',
    name: 'Source',
    of: 'contract',
    drawDeployed: ({ address, overview, search, go }) => (
      <SourceView address={address} contract={overview.contract} file={search.file} onFile={(file) => go({ file })} />
    ),
  },
]

const useWorkspaceSearch = () => useSearch({ from: '/workspace/$id' })

/** The dashboard of a wallet or a contract. */
export function WorkspacePage() {
  const { id } = useParams({ from: '/workspace/$id' })
  const search = useWorkspaceSearch()
  const navigate = useNavigate({ from: '/workspace/$id' })
  const query = useOverview(id)
  const mayChange = useMay('admin')
  const show = (next: Search) => void navigate({ search: next, replace: true, resetScroll: false })
  return (
    <Loaded query={query} what="workspace" rows={8}>
      {(overview) => {
        const kind = overview.workspace.kind === 'wallet' ? 'wallet' : 'contract'
        const offered = tabs.filter(({ of, id }) => (of === kind || of === 'both') && (mayChange || id !== 'state'))
        const chosen = offered.find((tab) => tab.id === search.tab) ?? (offered[0] as Tab)
        return (
          <>
            <WorkspaceHeader overview={overview} />
            <Tabs label="Workspace details" tabs={offered} chosen={chosen.id} onChoose={(tab) => show({ tab })} />
            <TabContent
              tab={chosen}
              context={{ id, overview, search, go: (change) => show({ ...search, ...change }) }}
            />
          </>
        )
      }}
    </Loaded>
  )
}

function TabContent({ tab, context }: { tab: Tab; context: Context }) {
  if ('draw' in tab) return tab.draw(context)
  const { address } = context.overview
  if (address) return tab.drawDeployed({ ...context, address })
  return (
    <Panel>
      <Empty title="Not deployed yet">This tab appears when the contract is deployed.</Empty>
    </Panel>
  )
}
