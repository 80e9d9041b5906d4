import { Account } from '../../../components/Account.tsx'
import { Amount } from '../../../ui/Amount.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { useCurrency } from '../../../ui/currency.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useAssets } from '../api/details.ts'
import type { Subject } from '../api/workspaces.ts'

/** The chain's currency, and the tokens that were transferred on this network. */
export function Assets({ subject }: { subject: Subject }) {
  const query = useAssets(subject)
  const currency = useCurrency()
  return (
    <Panel title="Assets" note="The chain's currency, and tokens transferred on this network">
      <Loaded query={query} what="assets" rows={3}>
        {({ ether, items }) => (
          <ul className="divide-y divide-line">
            <li className="flex h-9 items-center justify-between px-3">
              <span className="font-medium">{currency}</span>
              <Amount value={BigInt(ether)} />
            </li>
            {items.map(({ token, kind, symbol, decimals, balance, items: ids }) => (
              <li key={token} className="flex min-h-9 flex-wrap items-center gap-2 px-3 py-1">
                <Account address={token} />
                <Badge>{kind}</Badge>
                <span className="ml-auto">
                  {kind === 'erc20' && balance !== null ? (
                    <Amount value={BigInt(balance)} token={{ symbol: symbol ?? '', decimals: decimals ?? 0 }} />
                  ) : (
                    <span className="number text-sm">
                      {ids.map(({ tokenId }) => `#${tokenId}`).join(' ') || balance}
                    </span>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  )
}
