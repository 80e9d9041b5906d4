import { z } from 'zod'
import type { Branch, Branches } from '../../../branches/branch.ts'
import { quantity } from '../../../shared/hex.ts'
import { HexQuantity } from '../../codecs/wire.ts'

export const BranchObject = z
  .object({
    id: z.string(),
    name: z.string(),
    label: z.string().nullable(),
    url: z.string(),
    wsUrl: z.string(),
    parent: z.string().nullable(),
    blockNumber: HexQuantity,
    createdAt: z.string(),
    expiresAt: z.string().nullable(),
    ephemeral: z.boolean(),
  })
  .meta({ title: 'Branch' })

export const exampleBranch = {
  id: 'ptjf3j2hylz58kyidgdi5ksp',
  name: 'feature/vault',
  label: null,
  url: 'http://127.0.0.1:8545/n/feature%2Fvault',
  wsUrl: 'ws://127.0.0.1:8545/n/feature%2Fvault',
  parent: null,
  blockNumber: '0x112a880',
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: null,
  ephemeral: false,
}

export function encodeBranch(branch: Branch, branches: Pick<Branches<unknown>, 'urlOf'>): z.input<typeof BranchObject> {
  const { id, name, label, parent, blockNumber, createdAt, expiresAt, isEphemeral } = branch
  const url = branches.urlOf(branch)
  return {
    id,
    name,
    label: label ?? null,
    url,
    wsUrl: url.replace(/^http/, 'ws'),
    parent: parent ?? null,
    blockNumber: quantity(blockNumber),
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    ephemeral: isEphemeral,
  }
}
