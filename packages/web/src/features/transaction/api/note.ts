import type { Hex } from 'viem'
import { useAction } from '../../../lib/actions/useAction.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

/** Characters that the network takes. */
export const noteLength = 2000

/** `before`: the note that is replaced. */
type Given = { hash: Hex; text: string; before: string }

/** Writes the note on a transaction; an empty text removes it. */
export function useSetNote() {
  return useAction(
    ({ hash, text }: Given) => rpc('dev_setTransactionNote', hash, text),
    ({ text }) => (text ? 'Note saved' : 'Note removed'),
    ({ hash, before }) => rpc('dev_setTransactionNote', hash, before),
  )
}
