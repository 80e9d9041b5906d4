import { z } from 'zod'
import { HexWord, Timestamp } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleTransaction } from '../../examples.ts'

export const getTransactionNotes = defineMethod({
  name: 'dev_getTransactionNotes',
  summary: 'Lists the notes on transactions, last changed first.',
  role: 'read',
  params: {},
  result: z.array(z.object({ transactionHash: HexWord, text: z.string(), updatedAt: Timestamp })),
  example: {
    params: [],
    result: [
      {
        transactionHash: exampleTransaction.hash,
        text: 'The swap that empties the pool',
        updatedAt: '2026-01-01T00:00:00.000Z',
      },
    ],
  },
  async handler({ notes }) {
    const all = await notes.list()
    return all.map(({ hash, text, updatedAt }) => ({
      transactionHash: hash,
      text,
      updatedAt: new Date(updatedAt).toISOString(),
    }))
  },
})
