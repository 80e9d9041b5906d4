import { expect, it } from 'vitest'
import { showProgress } from './progress.ts'

it('tells the time left of work of which some was done before', () => {
  let [now, shown] = [0, '']
  const stream = {
    isTTY: true,
    write: (text: string) => {
      shown = text
      return true
    },
  }
  const progress = showProgress('Backtest', 100, stream, () => now)
  // Opening takes time that says nothing of the blocks.
  now = 60_000
  progress.resume(80)
  now = 70_000
  progress.at(90)
  expect(shown).toContain('90/100, 10 s left')
})
