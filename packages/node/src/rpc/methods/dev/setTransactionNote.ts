import { z } from 'zod'
import { Hash } from '../../codecs/hex.ts'
import { NoteText } from '../../codecs/noteText.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleTransaction } from '../../examples.ts'

export const setTransactionNote = defineMethod({
  name: 'dev_setTransactionNote',
  summary:
    'Sets the note on a transaction in a block, which all users of the network share. An empty text removes it. The note is deleted when the block is reverted or pruned.',
  role: 'admin',
  params: { hash: Hash, text: NoteText },
  result: z.object({ transactionHash: HexWord, text: z.string() }),
  example: {
    params: [exampleTransaction.hash, 'The swap that empties the pool'],
    result: { transactionHash: exampleTransaction.hash, text: 'The swap that empties the pool' },
  },
  async handler({ notes }, { hash, text }) {
    await notes.set(hash, text)
    return { transactionHash: hash, text }
  },
})
