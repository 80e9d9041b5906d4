import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { notInShortRun, notOnPostgres } from './tooling/notOnPostgres.ts'
import { summaryReporter } from './tooling/summaryReporter.ts'

/** Where tests find a PostgreSQL; see tooling/withPostgres.mjs. */
const databaseUrl = process.env.TEST_DATABASE_URL

/** They bound times of a fraction of a second, or count what is in memory: they run when nothing else does, after the others. */
const timed = [
  'campaign/test/neighbours.test.ts',
  'packages/evm/test/tracers/javascript.test.ts',
  'packages/node/test/host/removed.test.ts',
  'packages/node/test/tracking/trackingBudget.test.ts',
]

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
    exclude: ['packages/node/test/postgres/**', ...timed],
  },
}

const alone = {
  extends: true as const,
  test: { name: 'alone', include: timed, maxWorkers: 1, sequence: { groupOrder: 1 } },
}

const leftOut = { ...notOnPostgres, ...(process.env.SHORT_RUN !== undefined && notInShortRun) }

/** The tests of whole networks once more, with the networks in PostgreSQL. */
const onPostgres = {
  extends: true as const,
  test: {
    name: 'postgres',
    include: ['packages/node/test/**/*.test.ts'],
    exclude: Object.keys(leftOut).map((name) => `packages/node/test/${name}.test.ts`),
    env: { NETWORKS_IN_DATABASE: databaseUrl ?? '' },
  },
}

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A limit that a busy machine keeps too: vitest's own is one second.
    expect: { poll: { timeout: 20_000 } },
    // Only there, so that a test that fails now and then is seen where it is written; summaryReporter names it.
    retry: process.env.CI === undefined ? 0 : 1,
    // A fifth of their time, tests wait for blocks, for upstreams that fail and for processes to start. Two cores bear three.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // Importing the node anew for each of 250 files takes longer than a fifth of the whole run.
    isolate: false,
    reporters: ['default', summaryReporter],
    projects: databaseUrl === undefined ? [everything, alone] : [everything, onPostgres, alone],
  },
})
