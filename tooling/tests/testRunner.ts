import { type RunnerTestSuite, TestRunner } from 'vitest'
import { inOrder } from './testKinds.ts'

/** Shuffles the tests of a file where vitest.config.ts says so, unless they build on each other. */
// biome-ignore lint/style/noDefaultExport: vitest takes it so
export default class Runner extends TestRunner {
  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    if (inOrder.some((path) => suite.file.filepath.endsWith(`/${path}.test.ts`))) suite.shuffle = false
    await super.onBeforeRunSuite(suite)
  }
}
