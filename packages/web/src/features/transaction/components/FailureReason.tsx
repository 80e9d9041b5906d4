import type { Hex } from 'viem'
import { Account } from '../../../components/Account.tsx'
import { useDecoded } from '../../../lib/chain/decoded.ts'
import { type StackEntry, useStackTrace } from '../api/debugging.ts'

/** Why a transaction reverted, and the lines through which the failure went, as far as they are known. */
export function FailureReason({ hash }: { hash: Hex }) {
  const { data: decoded } = useDecoded(hash)
  const { data: entries = [] } = useStackTrace(hash)
  const reason = decoded?.revert?.reason
  return (
    <div role="note" className="rounded-t-lg border-line border-b bg-bad-wash px-3 py-2 text-sm">
      <p className="break-words text-bad first-letter:uppercase">
        {reason ? `Reverted: ${reason}` : (entries[0]?.message ?? 'Reverted')}
      </p>
      {entries.some(({ file }) => file !== null) && (
        <ol aria-label="Stack trace" className="mt-1.5 space-y-1">
          {entries.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a stack trace has a fixed order
            <li key={index} className="flex flex-wrap items-baseline gap-x-2">
              <EntryLocation {...entry} />
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

function EntryLocation({ file, line, function: name, address }: StackEntry) {
  return (
    <>
      <span className="text-soft">at</span>
      <code className="font-medium">{name ?? 'unknown function'}</code>
      {file === null ? (
        <span className="text-xs">
          <Account address={address} />
        </span>
      ) : (
        <code className="break-all text-soft text-xs">
          {file}:{line}
        </code>
      )}
    </>
  )
}
