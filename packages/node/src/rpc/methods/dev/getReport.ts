import { z } from 'zod'
import { Timestamp } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeNetworkInfo, exampleNetworkInfo, NetworkInfoObject } from '../../encode/networks/networkInfo.ts'

const isoTime = (time: number) => new Date(time).toISOString()

export const getReport = defineMethod({
  name: 'dev_getReport',
  summary:
    'Returns what a report of a fault needs: versions, options that are not the default, storage, and the last warnings and errors of the log, without secrets. `understudy report` prints it for an issue.',
  role: 'admin',
  isLocal: true,
  params: {},
  result: z.object({
    network: NetworkInfoObject,
    process: z.object({ node: z.string(), platform: z.string(), memoryBytes: z.number() }),
    options: z.record(z.string(), z.string()),
    storage: z.object({ kind: z.enum(['sqlite', 'postgres', 'temporary']), bytes: z.number() }),
    problems: z.array(
      z.object({
        level: z.enum(['warn', 'error', 'fatal']),
        message: z.string(),
        fields: z.string(),
        count: z.number(),
        firstAt: Timestamp,
        lastAt: Timestamp,
      }),
    ),
  }),
  example: {
    params: [],
    result: {
      network: exampleNetworkInfo,
      process: { node: '22.23.3', platform: 'linux x64', memoryBytes: 142_000_000 },
      options: { '--fork-url': 'https://rpc.example/v3/***', '--mine': 'interval:12' },
      storage: { kind: 'sqlite', bytes: 4_194_304 },
      problems: [
        {
          level: 'warn',
          message: 'Live chain failed',
          fields: 'url: https://rpc.example/***',
          count: 3,
          firstAt: '2024-10-20T11:40:00.000Z',
          lastAt: '2024-10-20T11:52:12.000Z',
        },
      ],
    },
  },
  async handler(services) {
    const { problems, ...report } = await services.reporter.load()
    return services.reporter.redact({
      network: encodeNetworkInfo(services),
      ...report,
      problems: problems.map((problem) => ({
        ...problem,
        firstAt: isoTime(problem.firstAt),
        lastAt: isoTime(problem.lastAt),
      })),
    })
  },
})
