import type { ReactNode } from 'react'
import { Account } from '../../../components/Account.tsx'
import { formatCount, formatInteger } from '../../../format/amount.ts'
import type { Period } from '../../../lib/period/period.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import type { Overview } from '../api/workspaces.ts'
import { ActivityChart } from './ActivityChart.tsx'
import { Assets } from './Assets.tsx'
import { OwnState } from './OwnState.tsx'

type Props = { overview: Overview; period: Period | undefined; onPeriod: (period: Period | undefined) => void }

/** Assets, activity and local state. */
export function WorkspaceOverview({ overview, period, onPeriod }: Props) {
  const { workspace, address, account, contract, activity } = overview
  if (!account || !address)
    return (
      <Panel>
        <Empty title="Not deployed yet">The network recognises deployments of this contract by their bytecode.</Empty>
      </Panel>
    )
  const { local, upstream } = account
  const subject = { id: workspace.id, address }
  return (
    <>
      {activity && (
        <Panel>
          <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg bg-line sm:grid-cols-3 xl:grid-cols-6">
            <Tile name="Transactions" value={activity.transactions} limit={activity.limit} />
            <Tile name="Incoming calls" value={activity.callsTo} limit={activity.limit} />
            <Tile name="Reverted incoming calls" value={activity.failedCallsTo} limit={activity.limit} />
            <Tile name="Outgoing calls" value={activity.callsBy} limit={activity.limit} />
            <Tile name="Events" value={activity.events} limit={activity.limit} />
            <Tile name="Transfers" value={activity.transfers} limit={activity.limit} />
          </dl>
        </Panel>
      )}
      <ActivityChart subject={subject} period={period} onPeriod={onPeriod} />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <Panel title="Account">
          <Facts
            rows={[
              [
                'Balance',
                <Field
                  key="balance"
                  isLocal={local.balance}
                  live={upstream && <Amount value={BigInt(upstream.balance)} />}
                >
                  <Amount value={BigInt(account.balance)} />
                </Field>,
              ],
              [
                'Nonce',
                <Field key="nonce" isLocal={local.nonce} live={upstream && formatInteger(BigInt(upstream.nonce))}>
                  {formatInteger(BigInt(account.nonce))}
                </Field>,
              ],
              contract &&
                contract.code !== 'none' && [
                  'Code',
                  <Field key="code" isLocal={local.code} live={null}>
                    {contract.code === 'local' ? 'Only on this network' : 'From the live chain'}
                  </Field>,
                ],
              [
                'Follows the live chain',
                account.followed
                  ? 'Yes'
                  : account.followedSlots > 0
                    ? formatCount(account.followedSlots, 'slot')
                    : 'No',
              ],
              ['Overrides', formatInteger(account.overrides)],
              ['Tracked values', formatInteger(account.trackedItems)],
              contract?.proxy && [
                'Implementation',
                <span key="proxy" className="flex flex-wrap gap-3">
                  {contract.proxy.implementations.map(({ address }) => (
                    <Account key={address} address={address} copy />
                  ))}
                </span>,
              ],
              contract && [
                'ABI',
                `${formatCount(contract.abi.length, 'entry', 'entries')}, ${sourceText(contract.source)}`,
              ],
              contract?.explorer?.problem ? ['Explorer', contract.explorer.problem] : undefined,
            ]}
          />
        </Panel>
        <div className="min-w-0 space-y-4">
          <OwnState overview={overview} address={address} />
          <Assets subject={subject} />
        </div>
      </div>
    </>
  )
}

function sourceText(source: string | null): string {
  if (source === 'import') return 'imported'
  if (source === 'manual') return 'entered manually'
  if (source === 'bytecode') return 'selectors from the bytecode'
  return source ? `from ${source}` : 'source unknown'
}

function Tile({ name, value, limit }: { name: string; value: number; limit: number }) {
  return (
    <div className="bg-panel px-3 py-2.5">
      <dt className="text-soft text-xs">{name}</dt>
      <dd className="number font-semibold text-lg">
        {formatInteger(value)}
        {value >= limit && '+'}
      </dd>
    </div>
  )
}

/** A field of an account, with the live chain's value where it differs. */
function Field({ isLocal, live, children }: { isLocal: boolean; live: ReactNode; children: ReactNode }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      {children}
      {isLocal && <Badge tone="frozen">frozen</Badge>}
      {isLocal && live && <span className="text-soft text-xs">Live chain: {live}</span>}
    </span>
  )
}
