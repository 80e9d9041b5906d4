import { describe, expect, it } from 'vitest'
import { advanced, isDueAtBlock, nextTurnMs, reverted, scheduleOf, started } from './schedule.ts'

const definition = {
  name: 'x',
  tags: [],
  address: `0x${'aa'.repeat(20)}`,
  type: 'native-token-balance',
} as never as Parameters<typeof scheduleOf>[0]
const every = (blocks: number) =>
  scheduleOf({ ...definition, recordTrigger: 'every-n-blocks', trackingFrequency: blocks })
const cron = (seconds: number) => scheduleOf({ ...definition, recordTrigger: 'cron', trackingFrequency: seconds })

describe('the schedule of an item', () => {
  it('records first at the next block, and then after so many more', () => {
    const schedule = every(3)
    expect(isDueAtBlock(schedule, 10, 9)).toBe(true)
    const from10 = started(schedule, 10, 0)
    const due = [11, 12, 13, 14, 15, 16].filter((block) => isDueAtBlock(from10, block, block - 1))
    expect(due).toEqual([13, 16])
  })

  it('records once where numbers of blocks are skipped', () => {
    const from10 = started(every(3), 10, 0)
    expect(isDueAtBlock(from10, 30, 10)).toBe(true)
    expect(isDueAtBlock(from10, 31, 30)).toBe(true)
    expect(isDueAtBlock(from10, 32, 31)).toBe(false)
  })

  it('begins anew when its first block is reverted, and not when a later one is', () => {
    const from10 = started(every(3), 10, 0)
    expect(reverted(from10, 10)).toEqual(from10)
    expect(reverted(from10, 9)).toEqual(every(3))
  })

  it('has turns by the clock at whole periods after the first, of which missed ones count once', () => {
    const schedule = cron(60)
    expect(nextTurnMs(schedule)).toBe(Number.POSITIVE_INFINITY)
    const begun = started(schedule, 10, 5_000)
    expect(nextTurnMs(begun)).toBe(65_000)
    expect(nextTurnMs(advanced(begun, 65_000))).toBe(125_000)
    expect(nextTurnMs(advanced(begun, 400_000))).toBe(425_000)
    expect(isDueAtBlock(begun, 11, 10)).toBe(false)
    expect(reverted(begun, 0)).toEqual(begun)
  })

  it.each([0, -1, 1.5, 31_536_001, Number.NaN])('refuses a frequency of %s', (trackingFrequency) => {
    for (const recordTrigger of ['every-tx', 'every-n-blocks', 'cron'] as const)
      expect(() => scheduleOf({ ...definition, recordTrigger, trackingFrequency })).toThrow(
        'trackingFrequency: expected a whole number from 1 to 31536000',
      )
  })

  it('needs a frequency where one counts', () => {
    expect(() => scheduleOf({ ...definition, recordTrigger: 'cron' })).toThrow('a number of seconds')
    expect(() => scheduleOf({ ...definition, recordTrigger: 'every-n-blocks' })).toThrow('a number of blocks')
    expect(scheduleOf({ ...definition, recordTrigger: 'every-tx' }).frequency).toBeUndefined()
  })
})
