import { type ReactNode, useState } from 'react'
import type { Hex } from 'viem'
import { TransactionLink } from '../../../components/HashLink.tsx'
import { formatInteger } from '../../../format/amount.ts'
import { Age } from '../../../ui/Age.tsx'
import { Amount } from '../../../ui/Amount.tsx'
import { Icon } from '../../../ui/Icon.tsx'

type Props = {
  /** The function; a click opens the details. */
  name: string
  title?: string | undefined
  /** In wei and in gas, both as decimal text. */
  entry: { value: string; gasUsed: string; transactionHash: Hex; timestamp: string }
  /** Caller, callee and outcome. */
  children: ReactNode
  details: () => ReactNode
}

/** One transaction or call in a list, with details that open. */
export function ActivityRow({ name, title, entry, children, details }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="px-3 py-1.5 text-sm">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <button
          type="button"
          aria-expanded={isOpen}
          title={title}
          onClick={() => setOpen(!isOpen)}
          className="hex inline-flex items-center gap-1.5 rounded font-medium hover:underline"
        >
          <span className="text-soft">
            <Icon name={isOpen ? 'down' : 'right'} size={12} />
          </span>
          {name}
        </button>
        {children}
        <span className="ml-auto flex items-center gap-3">
          {BigInt(entry.value) > 0n && <Amount value={BigInt(entry.value)} />}
          <span className="number hidden text-soft text-xs sm:block">{formatInteger(BigInt(entry.gasUsed))} gas</span>
          <TransactionLink hash={entry.transactionHash} />
          <span className="w-16 text-right text-xs">
            <Age at={Date.parse(entry.timestamp)} />
          </span>
        </span>
      </div>
      {isOpen && <div className="my-1.5 rounded-md border border-line bg-page text-xs">{details()}</div>}
    </div>
  )
}
