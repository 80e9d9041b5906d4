import { z } from 'zod'
import { withDefault } from '../../codecs/optional.ts'
import { TrackedValue } from '../../codecs/trackedItem.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeInvariant, exampleCheck, exampleInvariant, InvariantObject } from '../../encode/runs/invariant.ts'

const comparators = ['==', '!=', '<', '<=', '>', '>='] as const

export const addInvariant = defineMethod({
  name: 'dev_addInvariant',
  summary:
    'Adds a check that must hold after every block: a balance, a storage slot or a function result, compared with another one or with a constant; without `right`, it must be true. Or an expression over named values: `{ values: { a: …, b: … }, holds: "a + b <= 2 * 10" }`. When it fails, the block, the transaction and the line that broke it are kept, with the values. With `pause`, no more blocks are sealed by themselves: the mining mode becomes manual. With `branch`, a branch is made at the block. A value that cannot be evaluated fails. Numbers are compared as numbers.',
  role: 'admin',
  params: {
    invariant: z.strictObject({
      name: z.string().min(1, { error: 'is empty' }).max(256, { error: 'has more than 256 characters' }),
      check: z.union([
        z.strictObject({
          left: TrackedValue,
          is: withDefault(z.enum(comparators), '=='),
          right: withDefault(z.union([z.string().max(1000), TrackedValue]), 'true'),
        }),
        z.strictObject({ values: z.record(z.string().max(64), TrackedValue), holds: z.string().min(1).max(1000) }),
      ]),
      pause: withDefault(z.boolean(), false),
      branch: withDefault(z.boolean(), false),
    }),
  },
  result: InvariantObject,
  fields: {
    name: 'Name for people, of at most 256 characters.',
    check: 'The condition: `{ left, is, right }`, or `{ values, holds }` with an expression.',
    pause: 'Whether mining becomes manual when the check fails.',
    branch: 'Whether a branch is made at the block where the check fails.',
  },
  errors: ['LIMIT_EXCEEDED'],
  example: { params: [{ name: 'solvent', check: exampleCheck }], result: exampleInvariant },
  handler: async ({ invariants }, { invariant: { name, check, pause, branch } }) =>
    encodeInvariant(await invariants.add(name, check, { pause, branch })),
})
