import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { notInShortRun, notOnPostgres } from './tooling/notOnPostgres.ts'
import { summaryReporter } from './tooling/summaryReporter.ts'

/** Where tests find a PostgreSQL; see tooling/withPostgres.mjs. */
const databaseUrl = process.env.TEST_DATABASE_URL

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
    exclude: ['packages/node/test/postgres/**'],
  },
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
    // Vitest leaves one core free, which on a machine with two leaves one for all tests.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Importing the node anew for each of 250 files takes longer than a fifth of the whole run.
    isolate: false,
    reporters: ['default', summaryReporter],
    projects: databaseUrl === undefined ? [everything] : [everything, onPostgres],
  },
})
