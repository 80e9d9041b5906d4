import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { summaryReporter } from './tooling/summaryReporter.ts'

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'tooling/**/*.test.ts', 'e2e/test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Vitest leaves one core free, which on a machine with two leaves one for all tests.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ['default', summaryReporter],
  },
})
