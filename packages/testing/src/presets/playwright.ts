import type { Branch } from '../network.ts'
import { runOnBranch, workerBranch } from '../onBranch.ts'

type Use = (branch: Branch) => Promise<void>
type TestInfo = { title: string; status?: string; expectedStatus: string }

/**
 * Fixtures for Playwright: a `branch` for each test that asks for one, and a `workerBranch` that the tests of a worker share.
 * `base.extend<{ branch: Branch }, { workerBranch: Branch }>(branchFixtures)`.
 */
export const branchFixtures = {
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of other fixtures from it.
  branch: ({}: object, use: Use, test: TestInfo): Promise<void> =>
    runOnBranch(async (branch) => {
      await use(branch)
      // Known only now.
      return { hasFailed: test.status !== test.expectedStatus, title: test.title }
    }),
  workerBranch: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of other fixtures from it.
    async ({}: object, use: Use): Promise<void> => use(await workerBranch()),
    { scope: 'worker' },
  ] as [(others: object, use: Use) => Promise<void>, { scope: 'worker' }],
}
