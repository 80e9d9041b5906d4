import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { notInShortRun, notOnPostgres } from './tooling/tests/notOnPostgres.ts'
import { summaryReporter } from './tooling/tests/summaryReporter.ts'
import { inFullRun, unitTests } from './tooling/tests/testKinds.ts'

/** Where tests find a PostgreSQL; see tooling/withPostgres.mjs. */
const databaseUrl = process.env.TEST_DATABASE_URL
/** Which tests are run: `unit` or `default` of tooling/tests/runTests.mjs, `nodes` of tooling/testNodes.mjs, or all of them. */
const kind = process.env.TEST_KIND
/** The order of the tests in a file, which .ci/run sets. Without it, they run as they are written. */
const seed = Number(process.env.TEST_SEED ?? 0)

/** They bound elapsed times, or count what is in memory: they run when nothing else does, after the others. */
const timed = [
  'campaign/test/neighbours.test.ts',
  'packages/evm/test/tracers/javascript.test.ts',
  'packages/node/test/host/removed.test.ts',
  'packages/node/test/server/turns.test.ts',
  'packages/node/test/tracking/trackingBudget.test.ts',
  'packages/node/test/upstream/faults/brokenUpstream.test.ts',
  'packages/node/test/upstream/startWithoutUpstream.test.ts',
]

/** What `npm test` leaves to `npm run test:full`, as globs, and what it has run before. */
const units = kind === 'unit' || kind === 'default' ? unitTests() : []
const leftOutByDefault = kind === 'default' ? [...Object.keys(inFullRun).map((path) => `${path}**`), ...units] : []

const everything = {
  extends: true as const,
  test: {
    name: 'all',
    include: [
      'packages/*/{src,test}/**/*.test.ts',
      'tooling/**/*.test.ts',
      'e2e/test/**/*.test.ts',
      'campaign/test/**/*.test.ts',
    ],
    exclude: ['packages/node/test/postgres/**', ...timed, ...leftOutByDefault],
  },
}

const alone = {
  extends: true as const,
  test: { name: 'alone', include: timed, exclude: leftOutByDefault, maxWorkers: 1, sequence: { groupOrder: 1 } },
}

const leftOut = { ...notOnPostgres, ...(process.env.SHORT_RUN !== undefined && notInShortRun) }

/** The tests of whole networks once more, with the networks in PostgreSQL. */
const onPostgres = {
  extends: true as const,
  test: {
    name: 'postgres',
    // With another Node.js, only what speaks to PostgreSQL itself could differ there.
    include: [`packages/node/test/${kind === 'nodes' ? 'postgres/' : ''}**/*.test.ts`],
    exclude: Object.keys(leftOut).map((name) => `packages/node/test/${name}.test.ts`),
    env: { NETWORKS_IN_DATABASE: databaseUrl ?? '' },
  },
}

const unit = { extends: true as const, test: { name: 'unit', include: units } }

const projects = databaseUrl === undefined ? [everything, alone] : [everything, onPostgres, alone]

/** Tests see a change of these packages at once, without a build. Threads and processes run what is built. */
const source = (name: string, file = 'index') =>
  fileURLToPath(new URL(`packages/${name}/src/${file}.ts`, import.meta.url))
const partsOfClient = ['methods', 'artifacts', 'calls', 'divergences', 'forecasts', 'simulations'].map((part) => [
  `@understudy/client/${part}`,
  source('client', part),
])
const alias = Object.fromEntries([
  ...partsOfClient,
  ...['client', 'evm', 'testkit'].map((name) => [`@understudy/${name}`, source(name)]),
])

export default defineConfig({
  resolve: { alias },
  test: {
    globalSetup: 'tooling/tests/buildForTests.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A limit that a busy machine keeps too: vitest's own is one second.
    expect: { poll: { timeout: 20_000 } },
    // A third of their time, tests wait for blocks, for upstreams that fail and for processes to start. Two cores bear four; with
    // six, browsers answer too late.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    // Importing the node anew for each of 250 files takes longer than a fifth of the whole run.
    isolate: false,
    sequence: { shuffle: { files: false, tests: seed !== 0 }, seed },
    // What was transformed is kept for the next run, and in CI for those with other versions of Node.js.
    experimental: { fsModuleCache: true },
    reporters: ['default', summaryReporter],
    projects: kind === 'unit' ? [unit] : projects,
  },
})
