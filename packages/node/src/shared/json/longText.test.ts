import { expect, it } from 'vitest'
import { LongText, listText } from './longText.ts'

const list = (count: number, limit = Number.POSITIVE_INFINITY) =>
  listText(
    Array.from({ length: count }, (_, index) => ({ index, filler: 'ü'.repeat(500) })),
    (value) => JSON.stringify(value),
    limit,
  )

it.each([0, 1, 62, 63, 64, 126, 1000])('is the JSON of a list of %i', (count) => {
  const text = list(count)
  expect(JSON.parse(`${text}`)).toHaveLength(count)
  expect(text?.length).toBe(`${text}`.length)
  expect(text instanceof LongText).toBe(count > 62)
})

it('is nothing beyond the limit', () => {
  const { length } = `${list(100)}`
  expect(list(100, length)).toBeDefined()
  expect(list(100, length / 2)).toBeUndefined()
})
