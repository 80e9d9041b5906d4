import { z } from 'zod'
import { Hash } from '../../codecs/hex.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleTransaction } from '../../examples.ts'

const lengthLimit = 2000
/** Control characters, except the line break; those that change the direction of what follows; halves of a character. */
const unseen = /[^\P{Cc}\n]|[\p{Cs}\u202a-\u202e\u2066-\u2069]/u

/** Text that a user wrote, without spaces around it. */
const NoteText = z
  .string()
  .transform((text) => text.replaceAll('\r\n', '\n').trim())
  .pipe(
    z
      .string()
      .max(lengthLimit, { error: `has more than ${lengthLimit} characters` })
      .refine((text) => !unseen.test(text), {
        error: 'has control characters; use letters, signs and line breaks',
      }),
  )

export const setTransactionNote = defineMethod({
  name: 'dev_setTransactionNote',
  summary:
    'Sets the note on a transaction in a block, which all users of the network share. An empty text removes it. The note is deleted when the block is reverted or pruned.',
  role: 'admin',
  params: { hash: Hash, text: NoteText },
  result: z.object({ transactionHash: HexWord, text: z.string() }),
  fields: {
    hash: 'Hash of the transaction.',
    text: 'The note. An empty text removes it.',
  },
  errors: ['TRANSACTION_NOT_FOUND', 'LIMIT_EXCEEDED'],
  example: {
    params: [exampleTransaction.hash, 'The swap that empties the pool'],
    result: { transactionHash: exampleTransaction.hash, text: 'The swap that empties the pool' },
  },
  async handler({ notes }, { hash, text }) {
    await notes.set(hash, text)
    return { transactionHash: hash, text }
  },
})
