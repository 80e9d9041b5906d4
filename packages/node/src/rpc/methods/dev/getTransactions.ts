import { blockFields, optionsOf, pageFields } from '../../codecs/page.ts'
import { defineMethod } from '../../defineMethod.ts'
import {
  encodePage,
  encodeWorkspaceTransaction,
  pageObjectOf,
  WorkspaceTransactionObject,
} from '../../encode/workspaces/workspaceActivity.ts'
import { exampleWorkspaceTransaction } from '../../workspaceExamples.ts'

export const getTransactions = defineMethod({
  name: 'dev_getTransactions',
  summary:
    'Lists the transactions of this network, newest first, with decoded functions. Those of the live chain are not included.',
  role: 'read',
  params: { options: optionsOf({ ...pageFields, ...blockFields }) },
  result: pageObjectOf(WorkspaceTransactionObject),
  example: { params: [{ limit: 1 }], result: { items: [exampleWorkspaceTransaction], next: null } },
  handler: async ({ dashboards }, { options }) =>
    encodePage(await dashboards.allTransactions(options), encodeWorkspaceTransaction),
})
