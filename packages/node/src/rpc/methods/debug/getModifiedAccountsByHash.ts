import { z } from 'zod'
import { Hash } from '../../codecs/hex.ts'
import { optional } from '../../codecs/optional.ts'
import { HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { blockErrors } from '../../errorGroups.ts'
import { exampleTransaction } from '../../examples.ts'

export const getModifiedAccountsByHash = defineMethod({
  name: 'debug_getModifiedAccountsByHash',
  summary: 'Returns the accounts that changed in a block, or after one block until another. Blocks are named by hash.',
  role: 'read',
  params: { start: Hash, end: optional(Hash) },
  result: z.array(HexAddress),
  errors: [...blockErrors, 'UNSUPPORTED', 'LIMIT_EXCEEDED'],
  example: { params: [exampleTransaction.blockHash], result: [exampleTransaction.from, exampleTransaction.to] },
  handler: ({ loadModifiedAccounts }, { start, end }) => loadModifiedAccounts({ hash: start }, end && { hash: end }),
})
