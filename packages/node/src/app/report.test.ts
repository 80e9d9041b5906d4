import { createFakeClock } from '@understudy/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createConfig } from '../config/config.ts'
import { createLogger } from '../shared/logger.ts'
import { type EphemeralStore, openEphemeral } from '../storage/sqlite/openEphemeral.ts'
import { watchProblems } from './recentProblems.ts'
import { createReporter } from './report.ts'

let store: EphemeralStore
beforeAll(async () => {
  store = await openEphemeral()
})
afterAll(() => store.close())

/** Each is in an option, where somebody puts a key. */
const secrets = {
  user: 'alice-user',
  password: 'p4ssw0rd-of-url',
  pathKey: 'k3y-in-path',
  longKey: '0123456789abcdef0123456789abcdef',
  queryKey: 'k3y-in-query',
  header: 'k3y-in-header',
  basic: 'YWxpY2U6c2VjcmV0',
  apiKey: 'k3y-of-client-0123456789',
  explorerKey: 'k3y-of-explorer',
  explorerPath: 'k3y-of-blockscout',
  mnemonic: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
  databasePassword: 'p4ss-of-d@tabase',
  databaseQuery: 'p4ss-in-query',
  nodePassword: 'p4ss-of-node',
}

const config = createConfig({
  forkUrls: [
    `https://${secrets.user}:${secrets.password}@rpc.example/v3/${secrets.pathKey}?key=${secrets.queryKey}`,
    `https://other.example/${secrets.longKey}`,
  ],
  forkHeaders: { 'x-key': secrets.header, Authorization: `Basic ${secrets.basic}` },
  apiKeys: [`${secrets.apiKey}:admin`],
  explorerUrl: `https://explorer.example/api?apikey=${secrets.queryKey}`,
  explorerKey: secrets.explorerKey,
  blockscoutUrl: `https://blockscout.example/${secrets.explorerPath}/api`,
  mnemonic: secrets.mnemonic,
  databaseUrl: `postgres://understudy:${encodeURIComponent(secrets.databasePassword)}@db.example:5432/networks?password=${secrets.databaseQuery}`,
  nodeUrl: `http://node:${secrets.nodePassword}@10.0.0.1:8545`,
  mine: 'interval:12',
})

it('has the options that were chosen, without a secret of them', async () => {
  const { database } = store
  const { logger, list } = watchProblems(createLogger('silent'), { clock: createFakeClock() })
  const reporter = createReporter(config, { database, problems: list })
  // As an error of a library may have them.
  logger.error({ err: new Error(Object.values(secrets).join('\n')), url: config.databaseUrl }, 'Request failed')
  const report = reporter.redact(await reporter.load())
  expect(report.options).toEqual({
    '--fork-url': 'https://***@rpc.example/v3/***?key=***, https://other.example/***',
    '--fork-header': 'x-key: ***, Authorization: ***',
    '--api-key': '***:admin',
    '--explorer-url': 'https://explorer.example/api?apikey=***',
    '--explorer-key': '***',
    '--blockscout-url': 'https://blockscout.example/***/api',
    '--mnemonic': '***',
    '--database-url': 'postgres://***@db.example:5432/networks?password=***',
    '--node-url': 'http://***@10.0.0.1:8545',
    '--mine': 'interval:12',
  })
  expect(report).toMatchObject({
    process: { node: process.versions.node },
    storage: { kind: 'sqlite', bytes: store.bytes() },
    problems: [{ message: 'Request failed', fields: expect.stringContaining('***') }],
  })
  const text = JSON.stringify(report)
  for (const [where, secret] of Object.entries(secrets)) {
    expect(text, where).not.toContain(secret)
    expect(text, where).not.toContain(encodeURIComponent(secret))
  }
})

it('has no options when none was chosen', async () => {
  const reporter = createReporter(createConfig(), { database: store.database, problems: () => [] })
  expect(await reporter.load()).toMatchObject({ options: {}, problems: [] })
})
