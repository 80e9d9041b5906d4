import { z } from 'zod'
import { roles } from '../../../shared/role.ts'
import { Timestamp } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const getApiKeys = defineMethod({
  name: 'dev_getApiKeys',
  summary: 'Lists the API keys by the first digits of their SHA-256, with their usage since the start.',
  role: 'admin',
  isLocal: true,
  params: {},
  result: z.array(
    z.object({
      id: z.string(),
      role: z.enum(roles),
      requests: z.number(),
      errors: z.number(),
      lastUsedAt: Timestamp.nullable(),
    }),
  ),
  example: {
    params: [],
    result: [{ id: '9f86d081', role: 'admin', requests: 12, errors: 1, lastUsedAt: '2026-01-01T00:00:00.000Z' }],
  },
  handler: ({ apiKeys }) =>
    apiKeys.usage().map(({ lastUsedAt, ...usage }) => ({
      ...usage,
      lastUsedAt: lastUsedAt === undefined ? null : new Date(lastUsedAt).toISOString(),
    })),
})
