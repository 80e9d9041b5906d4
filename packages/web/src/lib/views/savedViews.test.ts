import { expect, it } from 'vitest'
import { readViews, viewLimit } from './savedViews.ts'

it('reads what was stored, and leaves out anything else', () => {
  const stored = [{ name: 'Failed', search: { status: 'failed', page: 7 } }, { name: 5, search: {} }, null, 'text']
  expect(readViews(JSON.stringify(stored))).toEqual([{ name: 'Failed', search: { status: 'failed' } }])
  expect([readViews(null), readViews('{'), readViews('{}')]).toEqual([[], [], []])
})

it('keeps so many', () => {
  expect(readViews(JSON.stringify(Array(100).fill({ name: 'a', search: {} })))).toHaveLength(viewLimit)
})
