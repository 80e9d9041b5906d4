import {
  approvalNote,
  approvalText,
  assetText,
  contractOf,
  type SimulatedApproval,
  type SimulatedAsset,
  type SimulatedCall,
  tokenName,
  tokenOf,
} from '@understudy/client/simulations'
import type { Address } from 'viem'
import { Account } from '../../../components/Account.tsx'
import type { Unit } from '../../../lib/abi/argument.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { useCurrency } from '../../../ui/currency.ts'
import { Icon } from '../../../ui/Icon.tsx'

type OfCall<Props> = Props & { call: SimulatedCall }

/** An address, by the name that its contract had when it was simulated. */
export const Party = ({ call, address, full }: OfCall<{ address: string; full?: boolean }>) => (
  <Account
    address={address as Address}
    full={full ?? false}
    copy={full ?? false}
    otherwise={contractOf(call, address)?.name}
  />
)

/** The unit of the amounts of a token. */
export function unitOf(call: SimulatedCall, token: string | null): Unit | undefined {
  const decimals = tokenOf(call, token)?.decimals
  return typeof decimals === 'number' ? { symbol: tokenName(call, token).slice(0, 40), decimals } : undefined
}

type Shown = Pick<SimulatedAsset, 'kind' | 'token' | 'tokenId' | 'formatted'>

/** An amount in the unit of its asset; of tokens with ids, which one. */
export function AssetAmount({ call, asset, amount }: OfCall<{ asset: Shown; amount: string }>) {
  const currency = useCurrency()
  const { kind, token } = asset
  const unit = unitOf(call, token)
  if (kind === 'native') return <Amount value={BigInt(amount)} />
  if (kind === 'erc20' && unit) return <Amount value={BigInt(amount)} token={unit} />
  return (
    <span className="min-w-0 break-words">
      {assetText(call, { ...asset, amount }, { symbol: currency, decimals: 18 })}
    </span>
  )
}

/** What moves, in order. */
export function AssetChanges({ call, changes }: OfCall<{ changes: readonly SimulatedAsset[] }>) {
  return (
    <ul aria-label="Asset changes" className="divide-y divide-line">
      {changes.map((change, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: what a call moves has a fixed order
          key={index}
          className="grid items-center gap-x-4 gap-y-0.5 px-3 py-2 text-sm md:grid-cols-[minmax(9rem,14rem)_minmax(0,1fr)]"
        >
          <span className="font-medium">
            <AssetAmount call={call} asset={change} amount={change.amount} />
          </span>
          <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            {change.from && <Party call={call} address={change.from} />}
            {change.type === 'transfer' ? (
              <span className="text-soft">
                <Icon name="right" size={12} />
              </span>
            ) : (
              <Badge tone={change.type === 'mint' ? 'good' : 'warn'}>
                {change.type === 'mint' ? 'minted to' : 'burned'}
              </Badge>
            )}
            {change.to && <Party call={call} address={change.to} />}
            {change.isWrap && <Badge>for ether</Badge>}
            {change.inferred && (
              <Badge tone="warn" title="No event tells of it: the balances changed">
                without an event
              </Badge>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Who may take what after the calls. */
export function Approvals({ call, approvals }: OfCall<{ approvals: readonly SimulatedApproval[] }>) {
  const currency = { symbol: useCurrency(), decimals: 18 }
  return (
    <ul aria-label="Approvals" className="divide-y divide-line">
      {approvals.map((approval, index) => {
        const note = approvalNote(approval)
        const { owner, spender, before, amount, isUnlimited, expiration } = approval
        const was = { ...approval, amount: before ?? '0', formatted: null, isUnlimited: false }
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: approvals have a fixed order
          <li key={index} className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2 text-sm">
            <Party call={call} address={spender} />
            <span className="text-soft">may take</span>
            <span className={`font-medium ${amount === '0' ? '' : 'text-warn'}`}>
              {approvalText(call, approval, currency)}
            </span>
            <span className="text-soft">from</span>
            <Party call={call} address={owner} />
            {isUnlimited && amount !== '0' && <Badge tone="warn">unlimited</Badge>}
            {note && <Badge>{note}</Badge>}
            {expiration && <Badge>until {dateText(expiration)}</Badge>}
            {before !== null && before !== amount && (
              <span className="text-soft text-xs">before: {approvalText(call, was, currency)}</span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function dateText(seconds: string): string {
  const time = Number(seconds) * 1000
  return time <= 8.64e15 ? new Date(time).toISOString().replace('T', ' ').slice(0, 16) : `second ${seconds}`
}

/** What each address gains and loses. */
export function BalanceChanges({ call }: OfCall<unknown>) {
  return (
    <ul aria-label="Balances" className="divide-y divide-line">
      {call.balanceChanges.map(({ address, assets }) => (
        <li
          key={address}
          className="grid items-baseline gap-x-4 px-3 py-2 text-sm md:grid-cols-[minmax(9rem,14rem)_minmax(0,1fr)]"
        >
          <Party call={call} address={address} />
          <span className="flex min-w-0 flex-wrap items-baseline gap-x-4 gap-y-1">
            {assets.map((asset) => (
              <span
                key={`${asset.token} ${asset.tokenId}`}
                className={asset.net.startsWith('-') ? 'text-bad' : 'text-good'}
              >
                {!asset.net.startsWith('-') && '+'}
                <AssetAmount call={call} asset={asset} amount={asset.net} />
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  )
}
