import { z } from 'zod'
import type { BranchDifference } from '../../../branches/branch.ts'
import { quantity, wordFromBigint } from '../../../shared/hex.ts'
import { BranchIdOrName } from '../../codecs/names.ts'
import { optional } from '../../codecs/optional.ts'
import { optionsOf, pageFields } from '../../codecs/page.ts'
import { HexAddress, HexQuantity, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeFunctionOverride, FunctionOverrideObject } from '../../encode/functionOverride.ts'
import { encodePage } from '../../encode/workspaces/workspaceActivity.ts'

/** Balances and nonces are decimal strings, slots are words, code is its hash. */
const Difference = z
  .object({
    address: HexAddress,
    field: z.enum(['balance', 'nonce', 'code', 'storage']),
    slot: HexWord.nullable(),
    variables: z.array(z.string()),
    a: z.string(),
    b: z.string(),
  })
  .meta({ title: 'BranchDifference' })

export const compareBranches = defineMethod({
  name: 'dev_compareBranches',
  summary:
    'Compares a branch `a` with another one, `b`, or with this network: their blocks, their function overrides (the first 100 that differ), and a page of the accounts and slots that differ in their newest states, by address. Ids or names. Throws if more than 100 000 accounts and slots were written after their last common change.',
  role: 'read',
  isSlow: true,
  params: { a: BranchIdOrName, b: optional(BranchIdOrName.nullable()), options: optionsOf(pageFields) },
  result: z.object({
    blocks: z.object({ common: HexQuantity, a: HexQuantity, b: HexQuantity }),
    overrides: z.array(z.object({ a: FunctionOverrideObject.nullable(), b: FunctionOverrideObject.nullable() })),
    overrideCount: z.number(),
    items: z.array(Difference),
    next: z.string().nullable(),
  }),
  fields: {
    a: 'Id or name of a branch.',
    b: 'Id or name of another branch. This network by default.',
  },
  errors: ['BRANCH_NOT_FOUND', 'LIMIT_EXCEEDED'],
  example: {
    params: ['feature/vault'],
    result: {
      blocks: { common: '0x112a880', a: '0x112a882', b: '0x112a881' },
      overrides: [],
      overrideCount: 0,
      items: [
        {
          address: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
          field: 'storage',
          slot: '0x0000000000000000000000000000000000000000000000000000000000000003',
          variables: ['paused'],
          a: '0x0000000000000000000000000000000000000000000000000000000000000001',
          b: '0x0000000000000000000000000000000000000000000000000000000000000000',
        },
      ],
      next: null,
    },
  },
  async handler({ branches }, { a, b, options }) {
    const { blocks, overrides, overrideCount, ...page } = await branches.compare(a, b ?? undefined, options)
    return {
      blocks: { common: quantity(blocks.common), a: quantity(blocks.a), b: quantity(blocks.b) },
      overrides: overrides.map((pair) => ({
        a: pair.a ? encodeFunctionOverride(pair.a) : null,
        b: pair.b ? encodeFunctionOverride(pair.b) : null,
      })),
      overrideCount,
      ...encodePage(page, encodeDifference),
    }
  },
})

function encodeDifference(difference: BranchDifference): z.output<typeof Difference> {
  const { address, field, a, b } = difference
  if (field === 'storage') {
    const { slot, variables } = difference
    return { address, field, slot, variables: [...variables], a: wordFromBigint(a), b: wordFromBigint(b) }
  }
  return { address, field, slot: null, variables: [], a: a.toString(), b: b.toString() }
}
