import { useState } from 'react'
import type { Hex } from 'viem'
import { DecodedArgs } from '../../../lib/abi/DecodedArgs.tsx'
import { useDecoded } from '../../../lib/chain/decoded.ts'
import { TransferRow } from '../../../lib/chain/TransferRow.tsx'
import { formatInteger } from '../../../lib/format/amount.ts'
import { Account } from '../../../lib/names/Account.tsx'
import { Age } from '../../../ui/Age.tsx'
import { Amount } from '../../../ui/Amount.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { TransactionLink } from '../../../ui/HashLink.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { PagedList } from '../../../ui/PagedList.tsx'
import { type Entry, useWorkspaceList } from '../api/workspaces.ts'

/** The transactions that had to do with it, also by calls inside them. */
export function TransactionList({ id }: { id: string }) {
  const query = useWorkspaceList(id, 'Transactions')
  return (
    <PagedList title="Transactions" query={query} keyOf={({ transactionHash }) => transactionHash}>
      {(entry) => <TransactionRow entry={entry} />}
    </PagedList>
  )
}

function TransactionRow({ entry }: { entry: Entry<'Transactions'> }) {
  const [isOpen, setOpen] = useState(false)
  const { transactionHash, timestamp, status, from, to, function: fn, value, gasUsed, revert } = entry
  return (
    <div className="px-3 py-1.5 text-sm">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <button
          type="button"
          aria-expanded={isOpen}
          title={fn?.signature}
          onClick={() => setOpen(!isOpen)}
          className="hex inline-flex items-center gap-1.5 rounded font-medium hover:underline"
        >
          <span className="text-soft">
            <Icon name={isOpen ? 'down' : 'right'} size={12} />
          </span>
          {fn?.name ?? (to ? 'call' : 'create')}
        </button>
        {status === 'failed' && <Badge tone="bad">{revert?.reason ? `reverted: ${revert.reason}` : 'reverted'}</Badge>}
        <span className="flex min-w-0 items-center gap-1.5">
          <Account address={from} />
          <span className="text-soft">
            <Icon name="right" size={12} />
          </span>
          {to ? <Account address={to} /> : <span className="text-soft">new contract</span>}
        </span>
        <span className="ml-auto flex items-center gap-3">
          {BigInt(value) > 0n && <Amount value={BigInt(value)} />}
          <span className="number hidden text-soft text-xs sm:block">{formatInteger(BigInt(gasUsed))} gas</span>
          <TransactionLink hash={transactionHash} />
          <span className="w-16 text-right text-xs">
            <Age at={Date.parse(timestamp)} />
          </span>
        </span>
      </div>
      {isOpen && (
        <div className="my-1.5 rounded-md border border-line bg-page text-xs">
          <div className="p-2.5">
            <p className="mb-1 text-soft">Arguments</p>
            {fn ? <DecodedArgs item={fn} /> : <span className="text-soft">none that are known</span>}
          </div>
          <Moved hash={transactionHash} />
        </div>
      )}
    </div>
  )
}

/** What changed hands in it. */
function Moved({ hash }: { hash: Hex }) {
  const query = useDecoded(hash)
  return (
    <Loaded query={query} what="transfers" rows={1}>
      {({ transfers }) => (
        <ul className="divide-y divide-line border-line border-t">
          {(transfers ?? []).map((transfer, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the transfers of a transaction have a fixed order
            <li key={index}>
              <TransferRow transfer={transfer} />
            </li>
          ))}
          {(transfers ?? []).length === 0 && <li className="p-2.5 text-soft">Nothing changed hands</li>}
        </ul>
      )}
    </Loaded>
  )
}
