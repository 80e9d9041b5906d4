import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { Tags } from '../../codecs/names.ts'
import { optional } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleTaggedAccount } from '../../encode/workspaces/workspace.ts'

export const removeTags = defineMethod({
  name: 'dev_removeTags',
  summary: 'Removes tags of an account or contract; without a list, all of them.',
  role: 'admin',
  params: { address: Address, tags: optional(Tags) },
  result: z.object({ removed: z.literal(true) }),
  fields: {
    address: 'The account.',
    tags: 'The tags to remove; all if absent.',
  },
  example: { params: [exampleTaggedAccount.address], result: { removed: true } },
  async handler(services, { address, tags }) {
    await services.tags.remove(address, tags)
    return { removed: true as const }
  },
})
