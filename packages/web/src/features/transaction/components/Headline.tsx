import type { Address, Hex } from 'viem'
import { methodLabel } from '../../../lib/abi/selectors.ts'
import type { Transaction } from '../../../lib/chain/block.ts'
import { useDecoded } from '../../../lib/chain/decoded.ts'
import { useToken } from '../../../lib/contracts/token.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { headlineOf, type Moved } from '../api/headline.ts'

/** What a transaction did, as the title of its page. */
export function Headline({ hash, transaction, isCall }: { hash: Hex; transaction: Transaction; isCall: boolean }) {
  const { data: decoded } = useDecoded(hash)
  const { from, to, input, typeHex } = transaction
  if (!isCall) {
    const frames = decoded?.frameTransaction?.frames.length
    return (
      <span>
        {frames ? `Transaction of ${frames} ${frames === 1 ? 'frame' : 'frames'}` : `Transaction of type ${typeHex}`}
      </span>
    )
  }
  const method = decoded?.function?.name ?? (input === '0x' ? undefined : methodLabel(to, input))
  const { verb, out, in: received } = headlineOf({ from, to, method }, decoded?.transfers ?? [])
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5">
      {verb}
      {out && <Asset moved={out} />}
      {out && received && <span>→</span>}
      {received && <Asset moved={received} />}
    </span>
  )
}

function Asset({ moved: { token, amount } }: { moved: Moved }) {
  const { data: known } = useToken((token as Address | null) ?? undefined)
  if (token !== null && !known) return null
  return <Amount value={amount} token={known ?? undefined} />
}
