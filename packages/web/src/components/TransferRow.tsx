import type { ReactNode } from 'react'
import type { Address } from 'viem'
import { useToken } from '../lib/contracts/token.ts'
import { Amount } from '../ui/Amount.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Account } from './Account.tsx'

export type Transfer = {
  kind: 'native' | 'erc20' | 'erc721' | 'erc1155'
  token: Address | null
  from: Address
  to: Address
  tokenId: string | null
  amount: string
}

type Props = {
  transfer: Transfer
  /** Shown before and after the transfer. */
  before?: ReactNode
  after?: ReactNode
}

/** A transfer of ether or a token. */
export function TransferRow({ transfer: { kind, token, from, to, tokenId, amount }, before, after }: Props) {
  const { data: known } = useToken(token ?? undefined)
  const unit = { symbol: known?.symbol ?? '', decimals: known?.decimals ?? 0 }
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-sm">
      {before}
      <Badge>{kind === 'native' ? 'ether' : kind}</Badge>
      <Account address={from} />
      <span className="text-soft">
        <Icon name="right" size={12} />
      </span>
      <Account address={to} />
      <span className="ml-auto flex items-center gap-3">
        <Amount value={BigInt(amount)} token={token === null ? undefined : unit} />
        {tokenId !== null && <span className="number">#{tokenId}</span>}
        {after}
      </span>
    </div>
  )
}
