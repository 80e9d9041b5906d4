import type { Hex } from 'viem'
import { useDecoded } from '../../../lib/chain/decoded.ts'

/** The decoded revert reason of a transaction. */
export function FailureReason({ hash }: { hash: Hex }) {
  const { data } = useDecoded(hash)
  const reason = data?.revert?.reason
  return (
    <p role="note" className="rounded-t-lg border-line border-b bg-bad-wash px-3 py-2 text-bad text-sm">
      Reverted{reason ? `: ${reason}` : ''}
    </p>
  )
}
