import { expect, it } from 'vitest'
import { listText } from './jsonText.ts'

const list = (count: number) =>
  listText(
    Array.from({ length: count }, (_, index) => ({ index, filler: 'ü'.repeat(500) })),
    (value) => JSON.stringify(value),
  )

it.each([0, 1, 62, 63, 64, 126, 1000])('is the JSON of a list of %i', (count) => {
  const text = list(count)
  expect(JSON.parse(`${text}`)).toHaveLength(count)
  expect(text.length).toBe(`${text}`.length)
  expect(text.parts.length > 1).toBe(count > 62)
})
