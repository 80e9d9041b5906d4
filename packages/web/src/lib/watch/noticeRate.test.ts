import { expect, it } from 'vitest'
import { createNoticeRate } from './noticeRate.ts'

it('shows five notices in ten seconds, and more later', () => {
  const rate = createNoticeRate()
  expect([0, 1, 2, 3, 4, 5, 9000].map(rate)).toEqual(['show', 'show', 'show', 'show', 'last', 'drop', 'drop'])
  expect([20_000, 20_000].map(rate)).toEqual(['show', 'show'])
})
