import { z } from 'zod'
import { BranchIdOrName } from '../../codecs/names.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleBranch } from '../../encode/networks/branch.ts'

export const removeBranch = defineMethod({
  name: 'dev_removeBranch',
  summary: 'Removes a branch, by its id or name, and everything in it. Branches of it stay.',
  role: 'admin',
  params: { branch: BranchIdOrName },
  result: z.object({ removed: z.literal(true) }),
  fields: {
    branch: 'Id or name of the branch.',
  },
  errors: ['BRANCH_NOT_FOUND'],
  example: { params: [exampleBranch.id], result: { removed: true } },
  async handler({ branches }, { branch }) {
    await branches.remove(branch)
    return { removed: true as const }
  },
})
