import { z } from 'zod'
import { NetworkError } from '../../../shared/errors.ts'
import { BlockTag } from '../../codecs/blockTag.ts'
import { Hash } from '../../codecs/hex.ts'
import { BranchName, NetworkLabel } from '../../codecs/names.ts'
import { optional } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { BranchObject, encodeBranch, exampleBranch } from '../../encode/networks/branch.ts'
import { blockErrors } from '../../errorGroups.ts'

/** A hundred years. */
const maxSeconds = 3_155_760_000

const Input = z.strictObject({
  name: optional(BranchName),
  label: optional(NetworkLabel),
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
  ephemeral: optional(z.boolean({ error: 'expected true or false' })),
})

export const createBranch = defineMethod({
  name: 'dev_createBranch',
  summary:
    'Makes a branch: a network that begins with everything that this one is, at the block `at`, after the transaction `afterTransaction`, or now, and then goes its own way. It is served at its `url`. It is removed after `ttl` seconds, or at `expiresAt`; without them, by dev_removeBranch. With `ephemeral`, it also ends with the process, and its changes are not flushed to the disk.',
  role: 'admin',
  params: { input: optional(Input) },
  result: BranchObject,
  fields: {
    name: 'Name of the branch. By default, its id.',
    label: 'Name for people, of at most 200 characters.',
    at: 'Block at which the branch starts: a number, a hash or a tag. The current state by default.',
    afterTransaction: 'Hash of the transaction after which the branch starts.',
    ttl: 'Seconds until the branch is removed.',
    expiresAt: 'Time at which the branch is removed, in ISO 8601.',
    ephemeral: 'Whether the branch ends with the process.',
  },
  errors: ['BRANCH_EXISTS', ...blockErrors, 'TRANSACTION_NOT_FOUND', 'LIMIT_EXCEEDED'],
  example: { params: [{ name: exampleBranch.name }], result: exampleBranch },
  async handler(
    { branches },
    { input: { name, label, at, afterTransaction, ttl, expiresAt, ephemeral = false } = {} },
  ) {
    if (ttl !== undefined && expiresAt !== undefined)
      throw new NetworkError('INVALID_PARAMS', { field: 'params[0].ttl', problem: 'pass either ttl or expiresAt' })
    if (at !== undefined && afterTransaction !== undefined)
      throw new NetworkError('INVALID_PARAMS', { field: 'params[0].at', problem: 'pass either at or afterTransaction' })
    const now = Date.now()
    const end = expiresAt === undefined ? ttl && now + ttl * 1000 : Date.parse(expiresAt)
    if (end !== undefined && end <= now)
      throw new NetworkError('INVALID_PARAMS', { field: 'params[0].expiresAt', problem: 'this time is in the past' })
    const wanted = { name, label, at, afterTransaction, expiresAt: end, isEphemeral: ephemeral }
    return encodeBranch(await branches.create(wanted), branches)
  },
})
