import type { Hex } from 'viem'
import { TransferRow } from '../../../components/TransferRow.tsx'
import { useDecoded } from '../../../lib/chain/decoded.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'

/** Transfers of ether and tokens. */
export function Transfers({ hash }: { hash: Hex }) {
  const query = useDecoded(hash)
  return (
    <Panel>
      <Loaded query={query} what="transfers" rows={3}>
        {({ transfers }) =>
          transfers === null ? (
            <Empty title="Transfers are shown only for transactions of this network" />
          ) : transfers.length === 0 ? (
            <Empty title="No transfers" />
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
