import { z } from 'zod'
import { AddressOrList } from '../../codecs/hex.ts'
import { Tags } from '../../codecs/names.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleTaggedAccount } from '../../encode/workspaces/workspace.ts'

export const addTags = defineMethod({
  name: 'dev_addTags',
  summary:
    'Adds tags to one or more accounts or contracts, by which clients find them. At most 1000 accounts have tags, and each at most 20.',
  role: 'admin',
  params: { addresses: AddressOrList, tags: Tags },
  result: z.object({ added: z.literal(true) }),
  fields: {
    addresses: 'The accounts.',
    tags: 'Tags of 1 to 50 characters each.',
  },
  errors: ['LIMIT_EXCEEDED'],
  example: { params: [exampleTaggedAccount.address, exampleTaggedAccount.tags], result: { added: true } },
  async handler(services, { addresses, tags }) {
    await services.tags.add(addresses, tags)
    return { added: true as const }
  },
})
