import { z } from 'zod'
import { quantity } from '../../../shared/hex.ts'
import { BranchIdOrName } from '../../codecs/names.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleBranch } from '../../encode/networks/branch.ts'

export const promoteBranch = defineMethod({
  name: 'dev_promoteBranch',
  summary:
    'Puts the parent of a branch at the state of the branch, and makes it follow what the branch follows, in one change without a block. `evm_revert` with `undo`, at the URL of the parent, undoes it and what came after it.',
  role: 'admin',
  isSlow: true,
  params: { branch: BranchIdOrName },
  result: z.object({
    parent: z.string().nullable(),
    accounts: z.number(),
    slots: z.number(),
    undo: HexQuantity,
  }),
  fields: {
    branch: 'Id or name of the branch.',
  },
  errors: ['BRANCH_NOT_FOUND', 'LIMIT_EXCEEDED', 'UNSUPPORTED'],
  example: { params: [exampleBranch.id], result: { parent: null, accounts: 2, slots: 5, undo: '0x1' } },
  async handler({ branches }, { branch }) {
    const { parent = null, accounts, slots, snapshot } = await branches.promote(branch)
    return { parent, accounts, slots, undo: quantity(snapshot) }
  },
})
