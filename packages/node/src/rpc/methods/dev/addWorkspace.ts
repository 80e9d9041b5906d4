import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { optional } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { AddedWorkspaceObject, encodeAddedWorkspace, exampleWorkspace } from '../../encode/workspaces/workspace.ts'

const Input = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, { error: 'is empty; name the workspace' })
    .max(200, { error: 'has more than 200 characters' }),
  address: optional(Address),
  abi: optional(z.string()),
  type: optional(z.enum(['ERC20', 'ERC721'], { error: 'expected ERC20 or ERC721' })),
})

const { id, name, address, type, createdAt } = exampleWorkspace

export const addWorkspace = defineMethod({
  name: 'dev_addWorkspace',
  summary: 'Adds a dashboard for a wallet, a live-chain contract, or a contract with a given ABI.',
  role: 'admin',
  params: { input: Input },
  result: AddedWorkspaceObject,
  fields: {
    name: 'Name for people.',
    address: 'The wallet or contract that the workspace shows.',
    abi: 'ABI of the contract, as JSON text.',
    type: 'Standard of a contract of the live chain.',
  },
  errors: ['WORKSPACE_NEEDS_ABI'],
  example: {
    params: [{ name, address }],
    result: { kind: 'mainnet-contract', mainnetProjectContract: { id, name, address, type, createdAt } },
  },
  async handler({ workspaces }, { input }) {
    return encodeAddedWorkspace(await workspaces.add(input))
  },
})
