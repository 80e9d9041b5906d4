import { z } from 'zod'
import { BlockTag } from '../blockTag.ts'
import { Hash } from '../hex.ts'
import { withDefault } from '../optional.ts'
import { CallRequest } from './callRequest.ts'

/** A run to look into: a transaction, or a call on the state of a block. */
export const runSubject = {
  subject: z.union([Hash, CallRequest], { error: 'expected a transaction hash, or a call such as { to, data }' }),
  block: withDefault(BlockTag, 'latest'),
}
