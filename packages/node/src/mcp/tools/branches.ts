import { z } from 'zod'
import { BranchIdOrName, BranchName } from '../../rpc/codecs/names.ts'
import { createBranch as createBranchMethod } from '../../rpc/methods/dev/createBranch.ts'
import { removeBranch as removeBranchMethod } from '../../rpc/methods/dev/removeBranch.ts'
import { defineTool, exampleOf } from '../defineTool.ts'

export const createBranch = defineTool({
  name: 'create_branch',
  methods: [createBranchMethod],
  example: exampleOf(createBranchMethod, ([{ name }]) => ({ name })),
  description:
    'Pass that block as atBlock. No one else notices what you do there. Pass its name as branch to the other tools. It is removed when it expires.',
  effect: 'changes',
  input: {
    name: BranchName.optional().describe('a name that no branch has'),
    minutes: z.int().min(1).max(10_080).default(60).describe('until it expires'),
    atBlock: z.int().min(0).optional().describe('a block to begin at; default: the newest state'),
  },
  async run(network, { name, minutes, atBlock }) {
    const at = atBlock === undefined ? undefined : (`0x${atBlock.toString(16)}` as const)
    const made = await network.call('dev_createBranch', {
      ttl: minutes * 60,
      ...(name !== undefined && { name }),
      ...(at !== undefined && { at }),
    })
    return {
      fields: {
        branch: made.name,
        block: Number(made.blockNumber),
        expires: made.expiresAt,
        rpc: made.url,
        mcp: `${made.url}/mcp`,
        next: 'pass branch to other tools; compare_branches says what you changed, remove_branch removes it',
      },
    }
  },
})

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
