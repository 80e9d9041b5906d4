import { expect, it } from 'vitest'
import { formatAge, formatSpan, formatWhen, parseSpan } from './time.ts'

it('formats an age in one unit', () => {
  expect([900, 59_000, 61_000, 7_200_000, 200_000_000].map((ms) => formatAge(0, ms))).toEqual([
    '0s',
    '59s',
    '1m',
    '2h',
    '2d',
  ])
})

it('parses and formats durations', () => {
  expect(['30m', '12 h', '90', '1.5d', '250ms'].map(parseSpan)).toEqual([
    1_800_000, 43_200_000, 90_000, 129_600_000, 250,
  ])
  expect([90_000, 86_400_000, 250].map(formatSpan)).toEqual(['1 min 30 s', '1 d', '250 ms'])
  expect(() => parseSpan('soon')).toThrow('not a duration')
})

it('says when something was or will be', () => {
  expect([-5000, -400, 0, 400, 61_000].map((ms) => formatWhen(ms, 0))).toEqual([
    '5s ago',
    '0s ago',
    '0s ago',
    '0s ago',
    'in 1m',
  ])
})
