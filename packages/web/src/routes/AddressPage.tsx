import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Abi, Address } from 'viem'
import { useAccount } from '../features/address/api/account.ts'
import { AddressHeader } from '../features/address/components/AddressHeader.tsx'
import { AddressOverview } from '../features/address/components/AddressOverview.tsx'
import { RecentTransactions } from '../features/address/components/RecentTransactions.tsx'
import { StateEditor } from '../features/address/components/StateEditor.tsx'
import { StorageReader } from '../features/address/components/StorageReader.tsx'
import { ReadWrite } from '../features/contract/components/ReadWrite.tsx'
import { ContractOverrides } from '../features/overrides/components/ContractOverrides.tsx'
import { TrackedBoard } from '../features/tracking/components/TrackedBoard.tsx'
import { type Overview, type Subject, useOverview } from '../features/workspaces/api/workspaces.ts'
import { CallList } from '../features/workspaces/components/CallList.tsx'
import { EventList } from '../features/workspaces/components/EventList.tsx'
import { GasByVersion } from '../features/workspaces/components/GasByVersion.tsx'
import { HistoryList } from '../features/workspaces/components/HistoryList.tsx'
import { HolderList } from '../features/workspaces/components/HolderList.tsx'
import { MethodTable } from '../features/workspaces/components/MethodTable.tsx'
import { SourceView } from '../features/workspaces/components/SourceView.tsx'
import { StorageTree } from '../features/workspaces/components/StorageTree.tsx'
import { TransactionList } from '../features/workspaces/components/TransactionList.tsx'
import { TransferList } from '../features/workspaces/components/TransferList.tsx'
import { WorkspaceBadges } from '../features/workspaces/components/WorkspaceHeader.tsx'
import { WorkspaceOverview } from '../features/workspaces/components/WorkspaceOverview.tsx'
import { isAnyAddress } from '../format/hash.ts'
import { useAreWorkspacesKnown, useWorkspaceOf } from '../lib/names/names.ts'
import { periodFrom } from '../lib/period/period.ts'
import { Choice } from '../ui/Choice.tsx'
import { Empty } from '../ui/Empty.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Panel } from '../ui/Panel.tsx'
import { useMay } from '../ui/role.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Tabs } from '../ui/Tabs.tsx'

type Search = ReturnType<typeof useAddressSearch>

/** What a tab renders; `go` changes the search parameters of the URL. */
type Context = {
  address: Address
  isContract: boolean
  /** Of a workspace, which has an index of the activity. */
  subject: Subject | undefined
  overview: Overview | undefined
  search: Search
  go: (change: Partial<Search>) => void
}

const tabs = [
  { id: 'overview', name: 'Overview', contractOnly: false, Content: OverviewTab },
  { id: 'transactions', name: 'Transactions', contractOnly: false, Content: TransactionsTab },
  { id: 'state', name: 'State', contractOnly: false, Content: StateTab },
  { id: 'contract', name: 'Read and write', contractOnly: true, Content: ContractTab },
  { id: 'code', name: 'Code', contractOnly: true, Content: CodeTab },
  { id: 'tracking', name: 'Tracking and overrides', contractOnly: false, Content: TrackingTab },
] as const

const useAddressSearch = () => useSearch({ from: '/address/$address' })

/** A contract or a wallet. */
export function AddressPage() {
  const { address } = useParams({ from: '/address/$address' })
  if (isAnyAddress(address)) return <AccountPage key={address} address={address} />
  return (
    <>
      <PageTitle tab="Invalid address" title="Invalid address" />
      <Panel>
        <Empty title="Enter 0x and 40 hex digits" />
      </Panel>
    </>
  )
}

function AccountPage({ address }: { address: Address }) {
  const search = useAddressSearch()
  const navigate = useNavigate({ from: '/address/$address' })
  const account = useAccount(address)
  const areWorkspacesKnown = useAreWorkspacesKnown()
  const workspace = useWorkspaceOf(address)
  const subject = workspace && { id: workspace.id, address }
  const { data: overview } = useOverview(subject ?? {})
  const show = (next: Search) => void navigate({ search: next, replace: true, resetScroll: false })
  const isContract = account.data?.code !== '0x' || (overview?.contract?.abi.length ?? 0) > 0
  const offered = tabs.filter(({ id, contractOnly }) => isContract || !contractOnly || id === search.tab)
  const { id, Content } = offered.find((tab) => tab.id === search.tab) ?? tabs[0]
  return (
    <>
      <AddressHeader address={address} badges={overview && <WorkspaceBadges overview={overview} />} />
      {account.isPending || !areWorkspacesKnown ? (
        <Skeleton what="contract or wallet" rows={8} />
      ) : (
        <>
          <Tabs label="Details" tabs={offered} chosen={id} onChoose={(tab) => show({ tab })} />
          <Content
            {...{ address, isContract, subject, overview, search }}
            go={(change) => show({ ...search, ...change })}
          />
        </>
      )}
    </>
  )
}

function OverviewTab({ address, subject, overview, search, go }: Context) {
  if (!subject) return <AddressOverview address={address} />
  if (!overview) return <Skeleton what="overview" rows={8} />
  return (
    <WorkspaceOverview overview={overview} period={periodFrom(search.period)} onPeriod={(period) => go({ period })} />
  )
}

function TransactionsTab({ address, isContract, subject, overview, search, go }: Context) {
  if (!subject) return <RecentTransactions address={address} />
  const views = [
    { id: undefined, name: 'All', draw: () => <TransactionList subject={subject} /> },
    {
      id: 'calls',
      name: 'Calls',
      draw: () => (
        <CallList
          subject={subject}
          isWallet={!isContract}
          outcome={search.outcome}
          onOutcome={(outcome) => go({ outcome })}
        />
      ),
    },
    { id: 'transfers', name: 'Transfers', draw: () => <TransferList subject={subject} /> },
    { id: 'events', name: 'Events', draw: () => <EventList subject={subject} />, contractOnly: true },
    {
      id: 'methods',
      name: 'By function',
      draw: () => (
        <>
          <MethodTable subject={subject} />
          <GasByVersion subject={subject} />
        </>
      ),
      contractOnly: true,
    },
    ...(overview?.contract && isToken(overview.contract.abi)
      ? [{ id: 'holders', name: 'Holders', draw: () => <HolderList subject={subject} />, contractOnly: true }]
      : []),
  ]
  return <Views label="Show" views={views.filter((view) => isContract || !view.contractOnly)} {...{ search, go }} />
}

/** Whether a contract has balances, as ERC-20, ERC-721 and ERC-1155 do. */
const isToken = (abi: Abi) => abi.some((item) => item.type === 'function' && item.name === 'balanceOf')

function StateTab({ address, isContract, subject, search, go }: Context) {
  const mayChange = useMay('admin')
  const variables = {
    id: 'variables',
    name: 'Variables',
    draw: () => (
      <StorageTree id={subject?.id ?? ''} address={address} path={search.path} onPath={(path) => go({ path })} />
    ),
  }
  const slots = { id: 'slots', name: 'Raw slots', draw: () => <StorageReader address={address} /> }
  const editor = { id: 'edit', name: 'Edit account', draw: () => <StateEditor address={address} /> }
  const views = isContract ? [...(subject ? [variables] : []), slots, editor] : [editor, slots]
  return <Views label="State" views={views.filter(({ id }) => mayChange || id !== 'edit')} {...{ search, go }} />
}

function ContractTab({ address, search, go }: Context) {
  return <ReadWrite address={address} chosen={search.fn} onChoose={(fn) => go({ fn })} />
}

function CodeTab({ address, subject, overview, search, go }: Context) {
  return (
    <>
      <SourceView address={address} contract={overview?.contract} file={search.file} onFile={(file) => go({ file })} />
      {subject && <HistoryList id={subject.id} />}
    </>
  )
}

function TrackingTab({ address, isContract, search, go }: Context) {
  return (
    <>
      <TrackedBoard
        address={address}
        chosen={search.ids?.split(',').filter(Boolean)}
        period={search.period}
        onChange={go}
      />
      {isContract && <ContractOverrides contract={address} />}
    </>
  )
}

type View = { id: string | undefined; name: string; draw: () => ReactNode }

/** The views of a tab, of which the URL names one. */
function Views({
  label,
  views,
  search,
  go,
}: Pick<Context, 'search' | 'go'> & { label: string; views: readonly View[] }) {
  const shown = views.find(({ id }) => id === search.view) ?? views[0]
  return (
    <>
      <div className="flex">
        <Choice label={label} options={views} chosen={shown?.id} onChoose={(view) => go({ view })} />
      </div>
      {shown?.draw()}
    </>
  )
}
