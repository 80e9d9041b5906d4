import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

const count = z.number()

export const getUpstreamUsage = defineMethod({
  name: 'dev_getUpstreamUsage',
  summary: 'Returns the number of requests to the live chain since the start, by method, or null if nothing is forked.',
  role: 'read',
  params: {},
  result: z
    .object({
      httpRequests: count,
      httpRequestsLastMinute: count,
      httpFailures: count,
      bytesSent: count,
      bytesReceived: count,
      methods: z.record(
        z.string(),
        z.object({ requests: count, shared: count, calls: count, retries: count, errors: count }),
      ),
    })
    .nullable(),
  example: {
    params: [],
    result: {
      httpRequests: 12,
      httpRequestsLastMinute: 3,
      httpFailures: 0,
      bytesSent: 2310,
      bytesReceived: 51_207,
      methods: { eth_getBalance: { requests: 3, shared: 1, calls: 2, retries: 0, errors: 0 } },
    },
  },
  handler: ({ upstreamUsage }) => upstreamUsage() ?? null,
})
