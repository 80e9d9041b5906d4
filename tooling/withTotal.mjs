import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, env, exit } from 'node:process'

/**
 * Runs a command that runs tests more than once, and ends with the line that CI reads, summed over all of them: summaryReporter
 * writes what it counts to TEST_COUNTS. A command that fails though no test did counts as one failure.
 * `node tooling/withTotal.mjs .ci/run`.
 */

const [command, ...args] = argv.slice(2)
const directory = mkdtempSync(join(tmpdir(), 'understudy-counts-'))
const file = join(directory, 'counts')
const { status, error } = spawnSync(command, args, { stdio: 'inherit', env: { ...env, TEST_COUNTS: file } })
if (error) process.stderr.write(`${error.message}\n`)
const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
rmSync(directory, { recursive: true })
if (env.TEST_COUNTS) appendFileSync(env.TEST_COUNTS, text)

const total = { passed: 0, failed: 0, skipped: 0 }
for (const line of text.split('\n').filter(Boolean)) {
  for (const [name, count] of Object.entries(JSON.parse(line))) total[name] += count
}
if (status !== 0 && total.failed === 0) total.failed = 1
process.stdout.write(
  `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}\n`,
)
exit(total.failed > 0 ? status || 1 : 0)
