import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import { BranchObject, encodeBranch, exampleBranch } from '../../encode/networks/branch.ts'

export const getBranches = defineMethod({
  name: 'dev_getBranches',
  summary: 'Lists all branches behind this server, oldest first. The parent of a branch of the network is null.',
  role: 'read',
  params: {},
  result: z.array(BranchObject),
  example: { params: [], result: [exampleBranch] },
  handler: ({ branches }) => branches.list().map((branch) => encodeBranch(branch, branches)),
})
