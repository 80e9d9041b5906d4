import { memo } from 'react'
import { millisFrom } from '../format/time.ts'
import { functionNameOf } from '../lib/abi/functions.ts'
import { methodLabel } from '../lib/abi/selectors.ts'
import type { Transaction } from '../lib/chain/block.ts'
import { useFamiliarAbi } from '../lib/contracts/abi.ts'
import { Age } from '../ui/Age.tsx'
import { Amount } from '../ui/Amount.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Account } from './Account.tsx'
import { BlockLink, TransactionLink } from './HashLink.tsx'

type Props = {
  transaction: Pick<Transaction, 'hash' | 'from' | 'to' | 'value' | 'blockNumber'>
  /** What it did, in one word. */
  method: string
  /** Of its block, in seconds; `undefined` while it is pending. */
  timestamp: bigint | undefined
  showBlock?: boolean
  failed?: boolean
}

/** A transaction in a list, named by the ABI of what it calls. */
export const RawTransactionRow = memo(
  ({ transaction, ...rest }: Omit<Props, 'method'> & { transaction: Transaction }) => {
    const { to, input } = transaction
    const abi = useFamiliarAbi(input.length >= 10 ? to : undefined)
    const method = (abi && functionNameOf(abi, input)) ?? methodLabel(to, input)
    return <TransactionRow {...rest} transaction={transaction} method={method} />
  },
)

/** A transaction in a list. */
export function TransactionRow({ transaction, method, timestamp, showBlock = false, failed = false }: Props) {
  const { hash, from, to, value, blockNumber } = transaction
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 px-3 py-1.5 text-sm md:h-9 md:grid-cols-[7.5rem_8.5rem_minmax(0,1fr)_auto] md:py-0">
      <span className="flex items-center gap-1.5">
        <TransactionLink hash={hash} />
        {failed && <Badge tone="bad">reverted</Badge>}
      </span>
      <span className="hidden min-w-0 truncate md:block">
        <Badge>{method}</Badge>
      </span>
      <span className="order-last col-span-2 flex min-w-0 items-center gap-1.5 md:order-none md:col-span-1">
        <Account address={from} className="min-w-0" />
        <span className="text-soft">
          <Icon name="right" size={12} />
        </span>
        {to ? <Account address={to} className="min-w-0" /> : <span className="text-soft">new contract</span>}
        <span className="md:hidden">
          <Badge>{method}</Badge>
        </span>
      </span>
      <span className="flex items-center justify-end gap-3">
        {value > 0n && <Amount value={value} />}
        {showBlock && blockNumber !== null && (
          <span className="hidden text-xs sm:block">
            <BlockLink number={blockNumber} />
          </span>
        )}
        <span className="w-16 text-right text-xs">
          {timestamp === undefined ? <Badge tone="warn">pending</Badge> : <Age at={millisFrom(timestamp)} />}
        </span>
      </span>
    </div>
  )
}
