import { appendFileSync, writeSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** More failures than these are no accident of a busy machine. */
const maxSecondTries = 10

const { FAILED_FILES, TEST_COUNTS } = process.env
// Not for the runs that tests start.
delete process.env.FAILED_FILES
delete process.env.TEST_COUNTS

/**
 * Ends the run with the line that CI reads: `N passed, N failed`. A file that could not be loaded counts as one failure.
 * tooling/withTotal.mjs sums the counts of several runs. Where tooling/tests/runVitest.mjs gives files a second try, the files
 * that fail are written to FAILED_FILES, and counted by the run that tries them again.
 */
export const summaryReporter: Reporter = {
  onInit({ config: { sequence } }) {
    if (sequence.shuffle)
      process.stdout.write(`The tests of each file run in random order: TEST_SEED=${sequence.seed}\n`)
  },
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors) {
    const failed = modules.filter((module) => module.state() === 'failed')
    const triedAgain =
      FAILED_FILES !== undefined && unhandledErrors.length === 0 && failed.length <= maxSecondTries ? failed : []
    for (const { project, relativeModuleId } of triedAgain)
      appendFileSync(FAILED_FILES, `${JSON.stringify({ project: project.name, file: relativeModuleId })}\n`)
    if (TEST_COUNTS) {
      const counted = countTests(modules.filter((module) => !triedAgain.includes(module)))
      appendFileSync(
        TEST_COUNTS,
        `${JSON.stringify({ ...counted, failed: counted.failed + unhandledErrors.length })}\n`,
      )
    }
    const count = countTests(modules)
    // After vitest's own summary, whatever order the reporters run in.
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
    const line = `${count.passed} passed, ${count.failed + unhandledErrors.length} failed${skipped}\n`
    process.once('exit', () => writeSync(1, line))
  },
}

function countTests(modules: readonly TestModule[]) {
  const count = { passed: 0, failed: 0, skipped: 0 }
  for (const module of modules) {
    if (module.state() === 'failed' && module.errors().length > 0) count.failed++
    for (const test of module.children.allTests()) {
      const state = test.result().state
      if (state === 'passed') count.passed++
      else if (state === 'failed') count.failed++
      else count.skipped++
    }
  }
  return count
}
