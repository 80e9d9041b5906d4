import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { optional } from '../../codecs/optional.ts'
import { blockFields, optionsOf, pageFields } from '../../codecs/page.ts'
import { defineMethod } from '../../defineMethod.ts'
import {
  encodePage,
  encodeWorkspaceTransaction,
  pageObjectOf,
  WorkspaceTransactionObject,
} from '../../encode/workspaces/workspaceActivity.ts'
import { exampleWorkspaceTransaction } from '../../encode/workspaces/workspaceExamples.ts'

const filterFields = {
  address: optional(Address),
  status: optional(z.enum(['success', 'failed'], { error: 'expected success or failed' })),
}

export const getTransactions = defineMethod({
  name: 'dev_getTransactions',
  summary:
    'Lists the transactions of this network, newest first, with decoded functions; optionally only those that involve an address, also through internal calls, and those that succeeded or failed. Transactions of the live chain are not included.',
  role: 'read',
  params: { options: optionsOf({ ...pageFields, ...blockFields, ...filterFields }) },
  result: pageObjectOf(WorkspaceTransactionObject),
  fields: {
    address: 'Only transactions from or to this account.',
    status: 'Only transactions with this status.',
  },
  example: { params: [{ limit: 1 }], result: { items: [exampleWorkspaceTransaction], next: null } },
  async handler({ dashboards }, { options: { status, ...query } }) {
    const succeeded = status === undefined ? undefined : status === 'success'
    return encodePage(await dashboards.allTransactions({ ...query, succeeded }), encodeWorkspaceTransaction)
  },
})
