import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
let directory: string

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-tries-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Runs a file of two tests as CI does: the second one passes if `isSecondGood` says so of the number of its run. */
function runAsCi(name: string, isSecondGood: string) {
  const root = join(directory, name)
  const program = `
    import { spawn } from 'node:child_process'
    import { runVitest } from ${JSON.stringify(here('runVitest.mjs'))}
    const run = (args, environment) => new Promise((resolve) =>
      spawn(process.execPath, args, { cwd: ${JSON.stringify(root)}, env: { ...process.env, ...environment }, stdio: 'inherit' }).once('close', resolve))
    const { code, tryAgain } = await runVitest(run, ['run', '--globals'])
    process.exit(tryAgain ? await tryAgain() : code)
  `
  const files = {
    'vitest.config.ts': `
      import { summaryReporter } from ${JSON.stringify(here('summaryReporter.ts'))}
      export default { test: { reporters: [summaryReporter], projects: [{ extends: true, test: { name: 'all' } }] } }`,
    'good.test.ts': `test('is good', () => {})`,
    'other.test.ts': `
      import { appendFileSync, readFileSync } from 'node:fs'
      appendFileSync('runs', 'x')
      const run = readFileSync('runs').length
      test('is always good', () => {})
      test('is good at times', () => expect(${isSecondGood}).toBe(true))`,
  }
  const counts = join(root, 'counts')
  mkdirSync(root)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, file), text)
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, CI: '1', TEST_COUNTS: counts },
  })
  const counted = readFileSync(counts, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { status, lines: stdout.match(/^(passed at|\d+ passed).*$/gm), counted }
}

test('a file that fails once is tried again, named, and counted once', () => {
  expect(runAsCi('once', 'run > 1')).toEqual({
    status: 0,
    lines: ['2 passed, 1 failed', '2 passed, 0 failed', 'passed at the second try: other.test.ts (all)'],
    counted: [
      { passed: 1, failed: 0, skipped: 0 },
      { passed: 2, failed: 0, skipped: 0 },
    ],
  })
})

test('a file that fails twice has failed', () => {
  expect(runAsCi('twice', 'false')).toEqual({
    status: 1,
    lines: ['2 passed, 1 failed', '1 passed, 1 failed'],
    counted: [
      { passed: 1, failed: 0, skipped: 0 },
      { passed: 1, failed: 1, skipped: 0 },
    ],
  })
})
