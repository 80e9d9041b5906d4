import { isDeepStrictEqual } from 'node:util'
import { createRandom } from '@understudy/testkit'
import { beforeEach, describe, expect, it } from 'vitest'
import { createEvm, type Evm } from '../../src/engine.ts'
import type { SavedRun } from '../../src/observers/savedRun.ts'
import type { Message, RunResult, StateView, Step, StepOptions } from '../../src/port.ts'
import { type FuzzCase, makeCase } from './cases.ts'
import { blockOf, StateWithoutHistory } from './runCase.ts'

const cases = Math.ceil(Number(process.env.FUZZ_CASES ?? (process.env.SHORT_RUN === undefined ? 10_000 : 5_000)) / 10)
const seed = Number(process.env.FUZZ_SEED ?? (process.env.FUZZ_CASES ? Math.floor(Math.random() * 0x7fffffff) : 1))

const messageOf = ({ fork: _, state: __, sender, ...message }: FuzzCase): Message => ({ from: sender, ...message })

/** A result with all its parts read. */
function whole(result: RunResult) {
  if (result.type !== 'done') return result
  const { output, logs, diff, readSet, frames, preimages, consoleCalls, ...rest } = result
  return { ...rest, output, logs, diff, readSet, frames, preimages, consoleCalls: consoleCalls?.(1000) }
}

/** A run that goes on does not know which hashes it has read before. */
function withoutBlockHashes(result: ReturnType<typeof whole>) {
  return result.type === 'done' ? { ...result, readSet: { ...result.readSet, blockHashes: undefined } } : result
}

const options = { kind: 'transaction', preimages: true } as const

/** Runs a case and pauses at every look. `resumptions` end it early: then it is abandoned, and there is no result. */
function runInParts(
  evm: Evm,
  test: FuzzCase,
  view: StateView,
  resumptions = Number.POSITIVE_INFINITY,
  onStep?: (step: Step) => void,
  steps: StepOptions = {},
): RunResult | undefined {
  const withPauses = { ...options, ...(onStep && { onStep }), steps, shouldPause: () => true }
  let result = evm.start(messageOf(test), blockOf(test.fork), view, withPauses)
  for (let left = resumptions; result.type === 'paused'; left--) {
    if (left === 0) {
      result.abandon()
      return undefined
    }
    result = result.resume()
  }
  return result
}

describe(`runs that pause, ${cases} cases from seed ${seed}`, () => {
  let straight: Evm
  let paused: Evm
  let abandoned: Evm
  // What an engine has loaded decides how often a run makes a pause check.
  beforeEach(() => {
    straight = createEvm()
    paused = createEvm({ pauseCheckGas: 1n })
    abandoned = createEvm({ pauseCheckGas: 1n })
  })

  const expectedOf = (test: FuzzCase) => {
    const view = new StateWithoutHistory(test.state)
    const result = whole(straight.run(messageOf(test), blockOf(test.fork), view, options))
    return { result, view }
  }

  it('end as those that do not, when they pause at every look', { timeout: 300_000 }, () => {
    for (let i = 0; i < cases; i++) {
      const caseSeed = seed + i
      const test = makeCase(caseSeed)
      const { result, view } = expectedOf(test)
      const parts = runInParts(paused, test, view)
      expect({ caseSeed, ...(parts && whole(parts)) }).toEqual({ caseSeed, ...result })
    }
  })

  it('report the same operations', { timeout: 300_000 }, () => {
    for (let i = 0; i < cases / 10; i++) {
      const caseSeed = seed + i
      const test = makeCase(caseSeed)
      const { result, view } = expectedOf(test)
      const [expected, steps]: [Step[], Step[]] = [[], []]
      straight.run(messageOf(test), blockOf(test.fork), view, { ...options, onStep: (step) => expected.push(step) })
      const parts = runInParts(paused, test, view, undefined, (step) => steps.push(step))
      expect({ caseSeed, ...(parts && whole(parts)) }).toEqual({ caseSeed, ...result })
      // The comparison of `expect` takes minutes.
      expect({ caseSeed, same: isDeepStrictEqual(steps, expected) }).toEqual({ caseSeed, same: true })
    }
  })

  it('go on in another engine from where they were saved, and leave nothing behind there', { timeout: 300_000 }, () => {
    const random = createRandom(seed)
    let continued = 0
    for (let i = 0; i < cases / 20; i++) {
      const caseSeed = seed + i
      const test = makeCase(caseSeed)
      const { result, view } = expectedOf(test)
      const all: Step[] = []
      let saved: SavedRun | undefined
      let until = random.integer(0, 40)
      runInParts(paused, test, view, undefined, (step) => all.push(step), {
        onPause: (run) => {
          if (until-- === 0) saved = run.save(2 ** 26)
        },
      })
      if (!saved) continue
      continued++
      const steps: Step[] = []
      const start = saved
      const rest = runInParts(abandoned, test, view, undefined, (step) => steps.push(step), {
        start,
        from: start.operation,
      })
      expect(start.operation).toBeGreaterThan(0)
      expect({ caseSeed, ...(rest && withoutBlockHashes(whole(rest))) }).toEqual({
        caseSeed,
        ...withoutBlockHashes(result),
      })
      expect({ caseSeed, same: isDeepStrictEqual(steps, all.slice(start.operation)) }).toEqual({ caseSeed, same: true })
      runInParts(abandoned, test, view, random.integer(0, 5), () => {}, { start, from: start.operation })
      const after = runInParts(abandoned, test, view, undefined, () => {})
      expect({ caseSeed, ...(after && whole(after)) }).toEqual({ caseSeed, ...result })
    }
    expect(continued).toBeGreaterThan(cases / 400)
  })

  it('leave nothing behind when they are abandoned', { timeout: 300_000 }, () => {
    const random = createRandom(seed)
    for (let i = 0; i < cases; i++) {
      const caseSeed = seed + i
      const test = makeCase(caseSeed)
      const { result, view } = expectedOf(test)
      for (let times = random.integer(1, 3); times > 0; times--) {
        runInParts(abandoned, test, view, random.integer(0, 40), random.chance(0.05) ? () => {} : undefined)
      }
      const after = abandoned.run(messageOf(test), blockOf(test.fork), view, options)
      expect({ caseSeed, ...whole(after) }).toEqual({ caseSeed, ...result })
    }
  })
})
