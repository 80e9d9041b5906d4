import { z } from 'zod'
import { wholeNumber } from '../../codecs/numbers.ts'
import { optional, withDefault } from '../../codecs/optional.ts'
import { Timestamp } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const getAuditLog = defineMethod({
  name: 'dev_getAuditLog',
  summary:
    'Lists calls of methods with the role admin and verifications, successful or refused, and failed authentications, newest first.',
  role: 'admin',
  isLocal: true,
  params: {
    filter: withDefault(
      z.strictObject({
        limit: withDefault(wholeNumber(1, 1000), 100),
        before: optional(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
        method: optional(z.string()),
      }),
      { limit: 100, before: undefined, method: undefined },
    ),
  },
  result: z.array(
    z.object({
      id: z.number(),
      at: Timestamp,
      key: z.string().nullable(),
      method: z.string(),
      params: z.unknown(),
      error: z.string().nullable(),
    }),
  ),
  fields: {
    limit: 'At most so many entries.',
    before: 'Only entries with a smaller id: the `id` of the last entry of the page before.',
    method: 'Only calls of this method.',
  },
  example: {
    params: [{ limit: 1 }],
    result: [
      {
        id: 7,
        at: '2026-01-01T00:00:00.000Z',
        key: '9f86d081',
        method: 'dev_setNonce',
        params: ['0xd8da6bf26964af9d7eed9e03e53415d37aa96045', 5],
        error: null,
      },
    ],
  },
  async handler({ audit }, { filter }) {
    const entries = await audit.load(filter)
    return entries.map(({ at, key, params, error, ...entry }) => ({
      ...entry,
      at: new Date(at).toISOString(),
      key: key ?? null,
      params: JSON.parse(params),
      error: error ?? null,
    }))
  },
})
