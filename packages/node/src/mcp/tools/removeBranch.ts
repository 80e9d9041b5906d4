import { BranchIdOrName } from '../../rpc/codecs/branch.ts'
import { defineTool } from '../defineTool.ts'

export const removeBranch = defineTool({
  name: 'remove_branch',
  description: 'Removes a branch and everything in it, before it expires.',
  effect: 'deletes',
  input: { name: BranchIdOrName },
  async run(network, { name }) {
    await network.call('dev_removeBranch', name)
    return { fields: { removed: name } }
  },
})
