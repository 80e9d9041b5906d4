import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import { encodeTags, exampleTaggedAccount, TaggedAccountObject } from '../../encode/workspaces/workspace.ts'

export const getTags = defineMethod({
  name: 'dev_getTags',
  summary: 'Lists the accounts and contracts that have tags, and their tags.',
  role: 'read',
  params: {},
  result: z.array(TaggedAccountObject),
  example: { params: [], result: [exampleTaggedAccount] },
  handler: async ({ tags }) => encodeTags(await tags.load()),
})
