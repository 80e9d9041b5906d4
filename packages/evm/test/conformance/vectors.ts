import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createEvm } from '../../src/index.ts'
import { forkNames, runVector, type StateTest } from './stateTest.ts'

const projectRoot = fileURLToPath(new URL('../../../..', import.meta.url))

/** The folder that holds `evm-tests`, `evm-tests-forks` and `tracer-tests`. */
export const testsDir = process.env.EVM_TESTS_DIR ?? join(projectRoot, '../shared')

/** Vectors that are not run, each with its reason. Those of forks before Berlin are not run by design and not listed. */
const exceptions: Record<string, string> = {
  'evm-tests/stTimeConsuming/CALLBlake2f_MaxRounds.json':
    'asks for 2^32 - 1 rounds of BLAKE2b, some 90 seconds; it passes: set EVM_TESTS_SLOW=1 to run it',
}

/** Tests that `.ci/run` leaves out, because CI's time is bounded. */
const notInShortRun: Record<string, string> = {
  'evm-tests-forks/VMTests/vmPerformance/loopMul.json':
    'runs for a minute by the rules of older forks; evm-tests has the same loops by those of the newest',
}

const leftOut: Record<string, string> = {
  ...(process.env.EVM_TESTS_SLOW === undefined && exceptions),
  ...(process.env.SHORT_RUN !== undefined && notInShortRun),
}

/** Every JSON file below a folder, in order; `undefined` when there is no such folder. */
export function jsonFiles(dir: string): string[] | undefined {
  try {
    const entries = readdirSync(dir, { recursive: true, withFileTypes: true })
    return entries
      .filter(({ name }) => name.endsWith('.json'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
  } catch {
    return undefined
  }
}

/** The loops of vmPerformance take a minute of an idle processor, and many on a busy machine. */
const timeoutMs = 600_000

/** Runs every `of`th file of the official state tests: shards run side by side, a test file each. */
export function describeStateTests(shard: number, of: number): void {
  for (const folder of ['evm-tests', 'evm-tests-forks']) {
    const files = jsonFiles(join(testsDir, folder))
    if (files === undefined) {
      describe.skip(`official state tests: ${join(testsDir, folder)} is absent, set EVM_TESTS_DIR to its parent`, () => {
        it('runs')
      })
      continue
    }
    describe(`official state tests of ${folder}, part ${shard + 1} of ${of}`, () => {
      const evm = createEvm()
      for (const [index, file] of files.entries()) {
        if (index % of !== shard) continue
        const name = relative(testsDir, file)
        const reason = leftOut[name]
        if (reason !== undefined) {
          it.skip(`${name}: ${reason}`)
          continue
        }
        it(name, { timeout: timeoutMs }, () => {
          const tests = JSON.parse(readFileSync(file, 'utf8')) as Record<string, StateTest>
          const failures: string[] = []
          for (const [testName, test] of Object.entries(tests)) {
            for (const [forkName, posts] of Object.entries(test.post)) {
              const fork = forkNames[forkName]
              if (fork === undefined) continue
              for (const post of posts) {
                const failure = runVector(evm, test, fork, post)
                if (failure) failures.push(`${testName} ${forkName} ${JSON.stringify(post.indexes)}: ${failure}`)
              }
            }
          }
          expect(failures).toEqual([])
        })
      }
    })
  }
}
