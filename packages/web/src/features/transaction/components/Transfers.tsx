import type { Address, Hex } from 'viem'
import { useToken } from '../../../lib/contracts/token.ts'
import { Account } from '../../../lib/names/Account.tsx'
import { Amount } from '../../../ui/Amount.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type DecodedTransaction, useDecoded } from '../api/transaction.ts'

/** Ether and tokens that changed hands. */
export function Transfers({ hash }: { hash: Hex }) {
  const query = useDecoded(hash)
  return (
    <Panel>
      <Loaded query={query} what="transfers" rows={3}>
        {({ transfers }) =>
          transfers === null ? (
            <Empty title="Transfers are known of this network's own transactions" />
          ) : transfers.length === 0 ? (
            <Empty title="Nothing changed hands" />
          ) : (
            <ol className="divide-y divide-line">
              {transfers.map((transfer, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the transfers of a transaction have a fixed order
                <TransferRow key={index} transfer={transfer} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </Panel>
  )
}

type Transfer = NonNullable<DecodedTransaction['transfers']>[number]

function TransferRow({ transfer: { kind, token, from, to, tokenId, amount } }: { transfer: Transfer }) {
  const { data: known } = useToken((token ?? undefined) as Address | undefined)
  return (
    <li className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-sm">
      <Badge>{kind === 'native' ? 'ether' : kind}</Badge>
      <Account address={from} />
      <span className="text-soft">
        <Icon name="right" size={12} />
      </span>
      <Account address={to} />
      <span className="ml-auto">
        {token === null ? (
          <Amount value={BigInt(amount)} />
        ) : (
          <Amount value={BigInt(amount)} token={{ symbol: known?.symbol ?? '', decimals: known?.decimals ?? 0 }} />
        )}
        {tokenId !== null && <span className="number ml-2">#{tokenId}</span>}
      </span>
    </li>
  )
}
