import { z } from 'zod'
import { NetworkError } from '../../../shared/errors.ts'
import { BlockTag } from '../../codecs/blockTag.ts'
import { BranchName } from '../../codecs/branch.ts'
import { Hash } from '../../codecs/hex.ts'
import { optional } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { BranchObject, encodeBranch, exampleBranch } from '../../encode/networks/branch.ts'

/** A hundred years. */
const maxSeconds = 3_155_760_000

const Input = z.strictObject({
  name: optional(BranchName),
  at: optional(BlockTag),
  afterTransaction: optional(Hash),
  ttl: optional(
    z
      .number()
      .int({ error: 'expected whole seconds' })
      .min(1, { error: 'expected at least 1 second' })
      .max(maxSeconds, { error: `expected at most ${maxSeconds} seconds` }),
  ),
  expiresAt: optional(
    z.iso.datetime({ offset: true, error: 'expected a time in ISO 8601, such as 2026-01-01T00:00:00Z' }),
  ),
})

export const createBranch = defineMethod({
  name: 'dev_createBranch',
  summary:
    'Makes a branch: a network that begins with everything that this one is, at the block `at`, after the transaction `afterTransaction`, or now, and then goes its own way. It is served at its `url`. It is removed after `ttl` seconds, or at `expiresAt`; without them, by dev_removeBranch.',
  role: 'admin',
  params: { input: optional(Input) },
  result: BranchObject,
  example: { params: [{ name: exampleBranch.name }], result: exampleBranch },
  async handler({ branches }, { input: { name, at, afterTransaction, ttl, expiresAt } = {} }) {
    if (ttl !== undefined && expiresAt !== undefined)
      throw new NetworkError('INVALID_PARAMS', { field: 'params[0].ttl', problem: 'pass either ttl or expiresAt' })
    if (at !== undefined && afterTransaction !== undefined)
      throw new NetworkError('INVALID_PARAMS', { field: 'params[0].at', problem: 'pass either at or afterTransaction' })
    const now = Date.now()
    const end = expiresAt === undefined ? ttl && now + ttl * 1000 : Date.parse(expiresAt)
    if (end !== undefined && end <= now)
      throw new NetworkError('INVALID_PARAMS', { field: 'params[0].expiresAt', problem: 'this time is in the past' })
    return encodeBranch(await branches.create({ name, at, afterTransaction, expiresAt: end }), branches)
  },
})
