import { BranchIdOrName } from '../../rpc/codecs/branch.ts'
import { removeBranch as removeBranchMethod } from '../../rpc/methods/dev/removeBranch.ts'
import { defineTool, exampleOf } from '../defineTool.ts'

export const removeBranch = defineTool({
  name: 'remove_branch',
  methods: [removeBranchMethod],
  example: exampleOf(removeBranchMethod, ([name]) => ({ name })),
  description: 'It is gone before it expires.',
  effect: 'deletes',
  input: { name: BranchIdOrName.describe('the branch') },
  async run(network, { name }) {
    await network.call('dev_removeBranch', name)
    return { fields: { removed: name } }
  },
})
