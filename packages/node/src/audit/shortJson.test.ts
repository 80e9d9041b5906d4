import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shortJson } from './shortJson.ts'

it('leaves short values as they are', () => {
  const value = ['0x12', { a: [1, null, true], b: 'text' }]
  expect(JSON.parse(shortJson(value))).toEqual(value)
})

it('shortens long texts and lists, and what is deep', () => {
  expect(JSON.parse(shortJson(['x'.repeat(1000)]))).toEqual([`${'x'.repeat(200)}… (1000 characters)`])
  expect(JSON.parse(shortJson(Array(100).fill(1)))).toEqual([...Array(20).fill(1), '… (100 items)'])
  expect(JSON.parse(shortJson([[[[[1]]]]]))).toEqual([[[['[…]']]]])
})

it('shows no secrets of URLs', () => {
  expect(shortJson(['https://me:pw@rpc.example/v3/0123456789abcdef?key=5ecret'])).not.toMatch(
    /pw|0123456789abcdef|5ecret/,
  )
})

it('is short JSON, whatever it is given', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = shortJson(value)
      JSON.parse(text)
      expect(text.length).toBeLessThanOrEqual(8000)
    }),
    { numRuns: 200 },
  )
})
