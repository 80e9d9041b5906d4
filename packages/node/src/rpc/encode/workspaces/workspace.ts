import { z } from 'zod'
import type { TagsByAddress } from '../../../contracts/accountTags.ts'
import type { Workspace } from '../../../workspaces/workspace.ts'
import { HexAddress, Timestamp } from '../../codecs/wire.ts'

const TokenType = z.enum(['ERC20', 'ERC721']).nullable()

/** The result of `dev_addWorkspace`: one of three kinds. */
export const AddedWorkspaceObject = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('wallet'),
      wallet: z.object({ id: z.string(), name: z.string(), address: HexAddress, createdAt: Timestamp }),
    }),
    z.object({
      kind: z.literal('mainnet-contract'),
      mainnetProjectContract: z.object({
        id: z.string(),
        name: z.string(),
        address: HexAddress,
        type: TokenType,
        createdAt: Timestamp,
      }),
    }),
    z.object({
      kind: z.literal('manual'),
      projectContract: z.object({ id: z.string(), name: z.string() }),
      projectContractVersion: z.object({ id: z.string() }),
      projectContractDeployment: z.object({ id: z.string(), address: HexAddress }).nullable(),
    }),
  ])
  .meta({ title: 'AddedWorkspace' })

/** A workspace of any kind, in one format. */
export const WorkspaceObject = z
  .object({
    id: z.string(),
    kind: z.enum(['wallet', 'mainnet-contract', 'manual']),
    name: z.string(),
    address: HexAddress.nullable().meta({ description: 'if there are several deployments, the one linked last' }),
    type: TokenType,
    origin: z.enum(['manual', 'import']).nullable(),
    version: z.object({ id: z.string(), number: z.number() }).nullable(),
    deployments: z.number(),
    createdAt: Timestamp,
  })
  .meta({ title: 'Workspace' })

export function encodeAddedWorkspace(workspace: Workspace): z.output<typeof AddedWorkspaceObject> {
  const { id, name } = workspace
  const createdAt = new Date(workspace.createdAt).toISOString()
  switch (workspace.kind) {
    case 'wallet':
      return { kind: 'wallet', wallet: { id, name, address: workspace.address, createdAt } }
    case 'mainnet-contract':
      return {
        kind: 'mainnet-contract',
        mainnetProjectContract: { id, name, address: workspace.address, type: workspace.type ?? null, createdAt },
      }
    case 'manual':
      return {
        kind: 'manual',
        projectContract: { id, name },
        projectContractVersion: { id: workspace.version.id },
        projectContractDeployment: workspace.deployment ?? null,
      }
  }
}

export function encodeWorkspace(workspace: Workspace): z.output<typeof WorkspaceObject> {
  const { id, kind, name } = workspace
  const isManual = kind === 'manual'
  return {
    id,
    kind,
    name,
    address: (isManual ? workspace.deployment?.address : workspace.address) ?? null,
    type: (kind === 'mainnet-contract' ? workspace.type : undefined) ?? null,
    origin: isManual ? workspace.origin : null,
    version: isManual ? workspace.version : null,
    deployments: isManual ? workspace.deployments : 0,
    createdAt: new Date(workspace.createdAt).toISOString(),
  }
}

/** An example for the docs. */
export const exampleWorkspace = {
  id: 'mpc_tz4a98xxat96iws9zmbrgj3a',
  kind: 'mainnet-contract',
  name: 'USD Coin',
  address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  type: 'ERC20',
  origin: null,
  version: null,
  deployments: 0,
  createdAt: '2026-01-01T12:00:00.000Z',
} as const

export const TaggedAccountObject = z
  .object({ address: HexAddress, tags: z.array(z.string()) })
  .meta({ title: 'TaggedAccount' })

export const exampleTaggedAccount = {
  address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  tags: ['treasury'],
} as const

export const encodeTags = (all: TagsByAddress): z.output<typeof TaggedAccountObject>[] =>
  [...all].map(([address, tags]) => ({ address, tags: [...tags] }))
