import { expect, it } from 'vitest'
import { CoverageRecorder, createCoverage } from './coverage.ts'

it('begins one report in each turn of the event loop, however many are asked for', async () => {
  let turn = 0
  const count = () => {
    turn++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const turns: number[] = []
  const recorder = new CoverageRecorder()
  recorder.codes = {
    add: () => undefined,
    counts: () => ({ unknown: 0, dropped: 0 }),
    async ofVersions(pace) {
      await pace()
      turns.push(turn)
      throw new Error('it has begun')
    },
  }
  const coverage = createCoverage({ recorder, database: {} as never, library: {} as never, clock: {} as never })
  await Promise.allSettled(Array.from({ length: 5 }, () => coverage.report()))
  clearImmediate(timer)
  expect(turns).toHaveLength(5)
  expect(new Set(turns).size).toBe(5)
})
