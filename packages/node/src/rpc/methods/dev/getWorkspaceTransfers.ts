import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { optional } from '../../codecs/optional.ts'
import { blockFields, optionsOf, pageFields, whereFields } from '../../codecs/page.ts'
import { defineMethod } from '../../defineMethod.ts'
import {
  encodePage,
  encodeWorkspaceTransfer,
  pageObjectOf,
  WorkspaceTransferObject,
} from '../../encode/workspaces/workspaceActivity.ts'
import { exampleId, exampleWorkspaceTransfer } from '../../encode/workspaces/workspaceExamples.ts'

const Options = optionsOf({
  ...whereFields,
  as: optional(z.enum(['party', 'token'])),
  kind: optional(z.enum(['native', 'erc20', 'erc721', 'erc1155'])),
  token: optional(Address),
  ...pageFields,
  ...blockFields,
})

export const getWorkspaceTransfers = defineMethod({
  name: 'dev_getWorkspaceTransfers',
  summary: 'Lists the ether and tokens that an address sent or received, or all transfers of a token, newest first.',
  role: 'read',
  params: { id: z.string(), options: Options },
  result: pageObjectOf(WorkspaceTransferObject),
  fields: {
    id: 'Id of the workspace.',
    address: 'The deployment of the contract. By default, the deployment that was linked last.',
    as: 'Transfers that the account takes part in (`party`), or all transfers of the token at the account (`token`).',
    kind: 'Only ether, or only tokens of this standard.',
    token: 'Only transfers of this token.',
  },
  errors: ['WORKSPACE_NOT_FOUND'],
  example: {
    params: [exampleId, { kind: 'erc20', limit: 1 }],
    result: { items: [exampleWorkspaceTransfer], next: null },
  },
  handler: async ({ dashboards }, { id, options }) =>
    encodePage(await dashboards.transfers(id, options), encodeWorkspaceTransfer),
})
