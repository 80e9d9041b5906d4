import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('withTotal.mjs', import.meta.url))

/** Runs a command that reports these counts and exits with a code. */
function totalOf(runs: object[], code: number) {
  const program = `
    const { appendFileSync } = require('node:fs')
    for (const run of ${JSON.stringify(runs)}) appendFileSync(process.env.TEST_COUNTS, JSON.stringify(run) + '\\n')
    console.log('the command')
    process.exit(${code})
  `
  const { status, stdout } = spawnSync(process.execPath, [script, process.execPath, '-e', program], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
  return { status, lines: stdout.trimEnd().split('\n') }
}

const good = { passed: 3, failed: 0, skipped: 1 }
const bad = { passed: 2, failed: 1, skipped: 0 }

test.each([
  ['sums all runs', [good, good], 0, { status: 0, lines: ['the command', '6 passed, 0 failed, 2 skipped'] }],
  ['fails with a test', [good, bad], 0, { status: 1, lines: ['the command', '5 passed, 1 failed, 1 skipped'] }],
  ['keeps the code', [bad], 3, { status: 3, lines: ['the command', '2 passed, 1 failed'] }],
  [
    'counts a crash as a failure',
    [good],
    134,
    { status: 134, lines: ['the command', '3 passed, 1 failed, 1 skipped'] },
  ],
  ['counts a command that came to nothing', [], 1, { status: 1, lines: ['the command', '0 passed, 1 failed'] }],
] as const)('%s', (_, runs, code, expected) => {
  expect(totalOf([...runs], code)).toEqual(expected)
})

test('a command that cannot be run has failed', () => {
  const { status, stdout } = spawnSync(process.execPath, [script, '/no/such/command'], { encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '0 passed, 1 failed\n' })
})
