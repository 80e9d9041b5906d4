import { BranchIdOrName, BranchName, NetworkLabel } from '../../codecs/names.ts'
import { optional } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { BranchObject, encodeBranch, exampleBranch } from '../../encode/networks/branch.ts'

export const renameBranch = defineMethod({
  name: 'dev_renameBranch',
  summary:
    'Renames a branch, by its id or name, and gives it a label for people. Its URL changes with its name; the URL with its id stays.',
  role: 'admin',
  params: { branch: BranchIdOrName, name: BranchName, label: optional(NetworkLabel) },
  result: BranchObject,
  fields: {
    branch: 'Id or name of the branch.',
    name: 'New name of the branch.',
    label: 'New name for people; without it, the branch keeps its label.',
  },
  errors: ['BRANCH_NOT_FOUND', 'BRANCH_EXISTS'],
  example: { params: [exampleBranch.id, exampleBranch.name], result: exampleBranch },
  async handler({ branches }, { branch, name, label }) {
    return encodeBranch(await branches.rename(branch, name, label), branches)
  },
})
