import { Link } from '@tanstack/react-router'
import type { Hex } from 'viem'
import { formatInteger } from '../format/amount.ts'
import { shorten } from '../format/hash.ts'
import { useNote } from '../lib/chain/notes.ts'
import { Icon } from '../ui/Icon.tsx'

/** A transaction, with a mark if it has a note. */
export function TransactionLink({ hash, full = false }: { hash: Hex; full?: boolean }) {
  const note = useNote(hash)
  return (
    <span className="inline-flex min-w-0 items-center gap-1">
      <Link
        to="/tx/$hash"
        params={{ hash }}
        title={hash}
        className="hex min-w-0 truncate rounded text-accent leading-6 hover:underline"
      >
        {full ? hash : shorten(hash, { head: 8, tail: 4 })}
      </Link>
      {note && (
        <span role="img" aria-label={`Note: ${note.text}`} title={note.text} className="shrink-0 text-warn">
          <Icon name="note" size={13} />
        </span>
      )}
    </span>
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
