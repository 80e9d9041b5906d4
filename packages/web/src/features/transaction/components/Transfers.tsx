import type { Hex } from 'viem'
import { useDecoded } from '../../../lib/chain/decoded.ts'
import { TransferRow } from '../../../lib/chain/TransferRow.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'

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
                <li key={index}>
                  <TransferRow transfer={transfer} />
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Panel>
  )
}
