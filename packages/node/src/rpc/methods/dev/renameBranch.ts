import { BranchIdOrName, BranchName } from '../../codecs/names.ts'
import { defineMethod } from '../../defineMethod.ts'
import { BranchObject, encodeBranch, exampleBranch } from '../../encode/networks/branch.ts'

export const renameBranch = defineMethod({
  name: 'dev_renameBranch',
  summary: 'Renames a branch, by its id or name. Its URL changes with its name; the URL with its id stays.',
  role: 'admin',
  params: { branch: BranchIdOrName, name: BranchName },
  result: BranchObject,
  fields: {
    branch: 'Id or name of the branch.',
    name: 'New name of the branch.',
  },
  errors: ['BRANCH_NOT_FOUND', 'BRANCH_EXISTS'],
  example: { params: [exampleBranch.id, exampleBranch.name], result: exampleBranch },
  async handler({ branches }, { branch, name }) {
    return encodeBranch(await branches.rename(branch, name), branches)
  },
})
