import { Link } from '@tanstack/react-router'
import type { Hex } from 'viem'
import { formatInteger } from '../format/amount.ts'
import { shorten } from '../format/hash.ts'

export function TransactionLink({ hash, full = false }: { hash: Hex; full?: boolean }) {
  return (
    <Link
      to="/tx/$hash"
      params={{ hash }}
      title={hash}
      className="hex min-w-0 truncate rounded text-accent leading-6 hover:underline"
    >
      {full ? hash : shorten(hash, { head: 8, tail: 4 })}
    </Link>
  )
}

export function BlockLink({ number }: { number: bigint | number }) {
  return (
    <Link
      to="/block/$id"
      params={{ id: number.toString() }}
      className="number whitespace-nowrap rounded text-accent hover:underline"
    >
      {formatInteger(number)}
    </Link>
  )
}
