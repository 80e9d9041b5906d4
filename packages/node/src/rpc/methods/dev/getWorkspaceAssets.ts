import { z } from 'zod'
import { optionsOf, pageFields, whereFields } from '../../codecs/page.ts'
import { DecimalString, HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleAsset } from '../../encode/workspaces/workspaceExamples.ts'

const AssetObject = z
  .object({
    token: HexAddress,
    kind: z.enum(['erc20', 'erc721', 'erc1155']),
    name: z.string().nullable(),
    symbol: z.string().nullable(),
    decimals: z.number().nullable(),
    /** null if the token does not report it. */
    balance: DecimalString.nullable(),
    /** For tokens with ids: at most 100 ids that were received here and are still held. */
    items: z.array(z.object({ tokenId: DecimalString, amount: DecimalString })),
  })
  .meta({ title: 'Asset' })

export const getWorkspaceAssets = defineMethod({
  name: 'dev_getWorkspaceAssets',
  summary: 'Lists the current assets of a workspace: ether, and each token that it sent or received on this network.',
  role: 'read',
  params: { id: z.string(), options: optionsOf({ ...whereFields, ...pageFields }) },
  result: z.object({ ether: DecimalString, items: z.array(AssetObject), next: z.string().nullable() }),
  fields: {
    id: 'Id of the workspace.',
    address: 'The deployment of the contract. By default, the deployment that was linked last.',
  },
  errors: ['WORKSPACE_NOT_FOUND'],
  example: {
    params: ['wlt_tz4a98xxat96iws9zmbrgj3a'],
    result: { ether: '9999000000000000000000', items: [exampleAsset], next: null },
  },
  async handler({ dashboards }, { id, options }) {
    const { ether, assets, next } = await dashboards.assets(id, options)
    const items = assets.map(({ token, kind, name, symbol, decimals, balance, items: ids }) => ({
      token,
      kind,
      name: name ?? null,
      symbol: symbol ?? null,
      decimals: decimals ?? null,
      balance: balance?.toString() ?? null,
      items: ids.map(({ tokenId, amount }) => ({ tokenId: tokenId.toString(), amount: amount.toString() })),
    }))
    return { ether: ether.toString(), items, next: next ?? null }
  },
})
