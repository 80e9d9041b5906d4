import { test as base } from 'vitest'
import type { Branch } from '../network.ts'
import { runOnBranch, workerBranch } from '../onBranch.ts'

/**
 * vitest's `test`, with a `branch` for each test that asks for one, and a `workerBranch` that the tests of a worker share:
 * `test('…', async ({ branch }) => …)`.
 */
export const test = base.extend<{ branch: Branch; workerBranch: Branch }>({
  branch: ({ task }, use) =>
    runOnBranch(async (branch) => {
      await use(branch)
      return { hasFailed: task.result?.state === 'fail', title: task.name }
    }),
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of other fixtures from it.
  workerBranch: async ({}, use) => use(await workerBranch()),
})
export const it = test
