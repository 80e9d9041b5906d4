import type { ReactNode } from 'react'
import { formatInteger } from '../../../lib/format/amount.ts'
import { Account } from '../../../lib/names/Account.tsx'
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

/** What it holds, what happened, and what of it is this network's own. */
export function WorkspaceOverview({ overview, period, onPeriod }: Props) {
  const { workspace, address, account, contract, activity } = overview
  if (!account || !address)
    return (
      <Panel>
        <Empty title="It is not deployed yet">
          A deployment is found by its bytecode as soon as a transaction makes it.
        </Empty>
      </Panel>
    )
  const { local, upstream } = account
  return (
    <>
      {activity && (
        <Panel>
          <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg bg-line sm:grid-cols-3 xl:grid-cols-6">
            <Tile name="Transactions" value={activity.transactions} limit={activity.limit} />
            <Tile name="Calls to it" value={activity.callsTo} limit={activity.limit} />
            <Tile name="of these reverted" value={activity.failedCallsTo} limit={activity.limit} />
            <Tile name="Calls by it" value={activity.callsBy} limit={activity.limit} />
            <Tile name="Events" value={activity.events} limit={activity.limit} />
            <Tile name="Transfers" value={activity.transfers} limit={activity.limit} />
          </dl>
        </Panel>
      )}
      <ActivityChart id={workspace.id} period={period} onPeriod={onPeriod} />
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
                    {contract.code === 'local' ? 'only on this network' : 'of the live chain'}
                  </Field>,
                ],
              [
                'Follows the live chain',
                account.followed ? 'as a whole' : account.followedSlots > 0 ? `${account.followedSlots} slots` : 'no',
              ],
              ['Overrides', formatInteger(account.overrides)],
              ['Tracked items', formatInteger(account.trackedItems)],
              contract?.proxy && [
                'Implementation',
                <span key="proxy" className="flex flex-wrap gap-3">
                  {contract.proxy.implementations.map(({ address }) => (
                    <Account key={address} address={address} copy />
                  ))}
                </span>,
              ],
              contract && ['ABI', `${contract.abi.length} entries, ${sourceText(contract.source)}`],
              contract?.explorer?.problem ? ['Explorer', contract.explorer.problem] : undefined,
            ]}
          />
        </Panel>
        <div className="min-w-0 space-y-4">
          <OwnState overview={overview} address={address} />
          <Assets id={workspace.id} />
        </div>
      </div>
    </>
  )
}

function sourceText(source: string | null): string {
  if (source === 'import') return 'from an import'
  if (source === 'manual') return 'as it was given'
  if (source === 'bytecode') return 'read from the bytecode: selectors only'
  return source ? `from ${source}` : 'from nobody'
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

/** A field of an account, with what the live chain has where it differs. */
function Field({ isLocal, live, children }: { isLocal: boolean; live: ReactNode; children: ReactNode }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      {children}
      {isLocal && <Badge tone="warn">frozen: changed here</Badge>}
      {isLocal && live && <span className="text-soft text-xs">live chain: {live}</span>}
    </span>
  )
}
