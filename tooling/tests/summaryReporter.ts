import { appendFileSync, writeSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** Names the tests that passed at the second try, and ends the run with the line that CI reads: `N passed, N failed`. A file that could not be loaded counts as one failure. tooling/withTotal.mjs sums the counts of several runs. */
export const summaryReporter: Reporter = {
  onInit({ config: { sequence } }) {
    if (sequence.shuffle)
      process.stdout.write(`The tests of each file run in random order: TEST_SEED=${sequence.seed}\n`)
  },
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors) {
    const flaky: string[] = []
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) {
      if (module.state() === 'failed' && module.errors().length > 0) count.failed++
      for (const test of module.children.allTests()) {
        const state = test.result().state
        if (test.diagnostic()?.flaky) flaky.push(`${module.relativeModuleId} > ${test.fullName}`)
        if (state === 'passed') count.passed++
        else if (state === 'failed') count.failed++
        else count.skipped++
      }
    }
    if (process.env.TEST_COUNTS) appendFileSync(process.env.TEST_COUNTS, `${JSON.stringify(count)}\n`)
    // After vitest's own summary, whatever order the reporters run in.
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
    const again = flaky.map((name) => `passed at the second try: ${name}\n`).join('')
    process.once('exit', () => writeSync(1, `${again}${count.passed} passed, ${count.failed} failed${skipped}\n`))
  },
}
