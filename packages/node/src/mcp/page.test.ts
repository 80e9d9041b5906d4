import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerLimit, type FoundList, pageOf, positionFrom } from './page.ts'

const noPosition = { skip: 0, cursor: undefined }
/** All that the pages list. */
function readAll(fields: Record<string, unknown>, list: FoundList): unknown[] {
  const seen: unknown[] = []
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const text = pageOf({ fields, list }, positionFrom(cursor))
    expect(text.length).toBeLessThanOrEqual(answerLimit)
    const page = JSON.parse(text) as Record<string, unknown>
    const items = page[list.name] as unknown[]
    expect(items.length).toBeGreaterThan(0)
    seen.push(...items)
    cursor = page.nextCursor as string | undefined
  }
  return seen
}

describe('a page', () => {
  it('is JSON of at most 12 000 characters, and the pages have every item, whatever the fields and items are', () => {
    const long = fc.string({ unit: 'binary', maxLength: 400, size: 'max' })
    const value = fc.oneof(fc.jsonValue(), long, fc.array(long, { maxLength: 10, size: 'max' }))
    const fields = fc.dictionary(fc.string(), value, { maxKeys: 8 })
    fc.assert(
      fc.property(fields, fc.array(value, { minLength: 1, maxLength: 20, size: 'max' }), (given, items) => {
        expect(readAll(given, { name: 'items', items })).toHaveLength(items.length)
      }),
      { numRuns: 15 },
    )
  })

  it('cuts the longest fields first', () => {
    const fields = { hash: '0x12', events: Array.from({ length: 40 }, () => 'x'.repeat(500)) }
    const { hash, events } = JSON.parse(pageOf({ fields }, noPosition))
    expect(hash).toBe('0x12')
    expect(events.at(-1)).toBe('… more')
  })

  it('goes on after its items with what the method lists next, then with its own', () => {
    const list = { name: 'items', items: Array.from({ length: 30 }, () => 'x'.repeat(590)), next: 'k:7' }
    const first = JSON.parse(pageOf({ fields: {}, list }, noPosition))
    expect(positionFrom(first.nextCursor)).toEqual({ skip: first.items.length, cursor: undefined })
    const last = JSON.parse(pageOf({ fields: {}, list }, positionFrom(first.nextCursor)))
    expect(positionFrom(last.nextCursor)).toEqual({ skip: 0, cursor: 'k:7' })
  })

  it('shows control characters and changes of direction as escapes', () => {
    expect(JSON.parse(pageOf({ fields: { name: 'a\n\u202eb' } }, noPosition))).toEqual({ name: 'a\\u{a}\\u{202e}b' })
  })
})
