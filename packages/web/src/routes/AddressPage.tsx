import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { Address } from 'viem'
import { AddressHeader } from '../features/address/components/AddressHeader.tsx'
import { AddressOverview } from '../features/address/components/AddressOverview.tsx'
import { StateEditor } from '../features/address/components/StateEditor.tsx'
import { StorageReader } from '../features/address/components/StorageReader.tsx'
import { ReadWrite } from '../features/contract/components/ReadWrite.tsx'
import { ContractOverrides } from '../features/overrides/components/ContractOverrides.tsx'
import { isAnyAddress } from '../format/hash.ts'
import { Empty } from '../ui/Empty.tsx'
import { Panel } from '../ui/Panel.tsx'
import { useMay } from '../ui/role.ts'
import { Tabs } from '../ui/Tabs.tsx'

const tabs = [
  { id: 'overview', name: 'Overview' },
  { id: 'contract', name: 'Read & write' },
  { id: 'storage', name: 'Storage' },
  { id: 'state', name: 'Edit state' },
  { id: 'overrides', name: 'Overrides' },
] as const

/** An address, with or without a workspace. */
export function AddressPage() {
  const { address } = useParams({ from: '/address/$address' })
  const { tab = 'overview', fn } = useSearch({ from: '/address/$address' })
  const navigate = useNavigate({ from: '/address/$address' })
  const mayChange = useMay('admin')
  if (!isAnyAddress(address))
    return (
      <Panel>
        <Empty title="Invalid address">An address is 0x followed by 40 hex digits.</Empty>
      </Panel>
    )
  return (
    <>
      <AddressHeader address={address} />
      <Tabs
        label="Address details"
        tabs={mayChange ? tabs : tabs.filter(({ id }) => id !== 'state')}
        chosen={tab as (typeof tabs)[number]['id']}
        onChoose={(id) => void navigate({ search: { tab: id }, replace: true, resetScroll: false })}
      />
      {tab === 'overview' && <AddressOverview address={address} />}
      {tab === 'contract' && (
        <ReadWrite
          address={address as Address}
          chosen={fn}
          onChoose={(next) => void navigate({ search: { tab, fn: next }, replace: true, resetScroll: false })}
        />
      )}
      {tab === 'storage' && <StorageReader address={address} />}
      {tab === 'state' && <StateEditor address={address} />}
      {tab === 'overrides' && <ContractOverrides contract={address} />}
    </>
  )
}
