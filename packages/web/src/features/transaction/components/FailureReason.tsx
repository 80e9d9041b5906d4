import type { Hex } from 'viem'
import { decodeRevert } from '../../../lib/abi/decode.ts'
import type { Transaction } from '../../../lib/chain/transaction.ts'
import { useAbi } from '../../../lib/contracts/abi.ts'
import { useCallTree } from '../api/transaction.ts'

/** Why a transaction reverted, as its trace tells. */
export function FailureReason({ transaction }: { transaction: Transaction }) {
  const { data: trace } = useCallTree(transaction.hash, true)
  const { data: known } = useAbi(transaction.to)
  const data = (trace?.output ?? '0x') as Hex
  const reason = trace
    ? (trace.revertReason ?? (data.length >= 10 ? decodeRevert(known ? [known.abi] : [], data) : trace.error))
    : undefined
  return (
    <p role="note" className="rounded-t-lg border-line border-b bg-bad-wash px-3 py-2 text-bad text-sm">
      Reverted{reason ? `: ${reason}` : ''}
    </p>
  )
}
