import { appendFileSync, writeSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** Ends the run with the line that CI reads: `N passed, N failed`. A file that could not be loaded counts as one failure. tooling/withTotal.mjs sums the counts of several runs. */
export const summaryReporter: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors) {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) {
      if (module.state() === 'failed' && module.errors().length > 0) count.failed++
      for (const test of module.children.allTests()) {
        const state = test.result().state
        if (state === 'passed') count.passed++
        else if (state === 'failed') count.failed++
        else count.skipped++
      }
    }
    if (process.env.TEST_COUNTS) appendFileSync(process.env.TEST_COUNTS, `${JSON.stringify(count)}\n`)
    // After vitest's own summary, whatever order the reporters run in.
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
    process.once('exit', () => writeSync(1, `${count.passed} passed, ${count.failed} failed${skipped}\n`))
  },
}
