import { describe, expect, it } from 'vitest'
import { createEvm } from '../../src/engine.ts'
import { requireRules } from '../../src/forks.ts'
import { runCase } from './runCase.ts'

const cases = Number(process.env.FUZZ_CASES ?? (process.env.SHORT_RUN === undefined ? 20_000 : 3_000))
/** Other ones each time where more cases are asked for than a test run has, which is to be repeatable. */
const seed = Number(process.env.FUZZ_SEED ?? (process.env.FUZZ_CASES ? Math.floor(Math.random() * 0x7fffffff) : 1))
/** Every case is of this fork; each of its own if there is none. */
const fork = process.env.FUZZ_FORK === undefined ? undefined : requireRules(process.env.FUZZ_FORK).fork
/** The most cases of a test: they take 10 ms each, and three times that on a busy machine. */
const longestBatch = 2_000

/** Runs one of `of` shares of the cases. A failure names the seed of its case: run that alone with FUZZ_SEED and FUZZ_CASES=1. */
export function describeFuzzing(shard: number, of: number): void {
  const share = Math.ceil(cases / of)
  const start = (seed + shard * share) >>> 0
  describe(`differential fuzzing against @ethereumjs/vm, ${share} cases from seed ${start}`, () => {
    const evm = createEvm()
    const perBatch = Math.min(longestBatch, Math.ceil(share / 10))
    for (let first = 0; first < share; first += perBatch) {
      const count = Math.min(perBatch, share - first)
      it(`agrees on the cases ${start + first} to ${start + first + count - 1}`, { timeout: 300_000 }, async () => {
        for (let i = 0; i < count; i++) {
          const caseSeed = start + first + i
          const { engine, oracle } = await runCase(evm, caseSeed, fork)
          if (oracle) expect({ caseSeed, ...engine }).toEqual({ caseSeed, ...oracle })
        }
      })
    }
  })
}
