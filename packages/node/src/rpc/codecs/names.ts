import { z } from 'zod'
import { codec } from '../../shared/codec.ts'

/** A name of a branch, which is part of its URL: that of a Git branch, or the id of a job, for example. */
export const BranchName = z
  .string()
  .regex(/^[\w./#@+:-]{1,100}$/, { error: 'expected 1 to 100 letters, digits, or any of . _ / # @ + : -' })
  .refine((name) => !/^\.+$/.test(name), { error: 'has only dots, which a URL cannot have as a name' })

/** A name of a branch or network for people. */
export const NetworkLabel = z.string().max(200, { error: 'has more than 200 characters' })

/** Words by which clients find accounts. */
export const Tags = z
  .array(z.string().trim().min(1, { error: 'is empty' }).max(50, { error: 'has more than 50 characters' }))
  .max(20, { error: 'has more than 20 tags' })

/** The id of a branch, or its name. */
export const BranchIdOrName = z.string().min(1, { error: 'is empty; pass the id or the name of a branch' }).max(100, {
  error: 'has more than 100 characters',
})

/** The name of a network beside others in a process: part of its URL, and of its folder or schema. */
export const HostedNetworkName = z.string().regex(/^[a-z][a-z\d_]{0,39}$/, {
  error: 'expected 1 to 40 lower-case letters, digits and underscores, beginning with a letter',
})

/** The id of a filter or subscription. */
export const FilterId = codec<string, string>(
  'an id (0x-hex, at most 32 bytes)',
  (input) => (typeof input === 'string' && /^0x[\da-f]{1,64}$/i.test(input) ? input.toLowerCase() : undefined),
  { title: 'FilterId', type: 'string' },
)
