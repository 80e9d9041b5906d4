import { describe, expect, test } from 'vitest'
import { mayHaveManyValues, requireFewValues, requireFewValuesIn } from './valueLimit.ts'

const messageOf = (params: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params })

function isRefused(check: () => void): boolean {
  try {
    check()
    return false
  } catch (error) {
    expect(error).toMatchObject({ kind: 'LIMIT_EXCEEDED' })
    return true
  }
}

/** Lists of each shape, with about `cost` values where objects count as 12. */
const shapes: Record<string, (cost: number) => unknown[]> = {
  numbers: (cost) => Array.from({ length: cost }, () => 1),
  'empty lists': (cost) => Array.from({ length: Math.floor(cost / 12) }, () => []),
  objects: (cost) => Array.from({ length: Math.floor(cost / 14) }, () => ({ a: 1, b: null })),
  'strings like JSON': (cost) => Array.from({ length: cost }, (_, index) => ['[{,', '"', '\\', '\\",[', ''][index % 5]),
  'lists in lists': (cost) => Array.from({ length: Math.floor(cost / 36) }, () => [[[]]]),
}

describe('values in a text', () => {
  test.each(Object.entries(shapes))('%s: none is refused that is accepted when it is parsed', (_name, make) => {
    for (const cost of [119_000, 119_990, 120_000, 120_014, 121_000]) {
      const params = make(cost)
      if (isRefused(() => requireFewValues(params, 'a request'))) continue
      expect(isRefused(() => requireFewValuesIn(messageOf(params), 'a request'))).toBe(false)
    }
  })

  test.each(Object.entries(shapes))('%s: a sixth too many is refused', (_name, make) => {
    const text = messageOf(make(140_000))
    expect(mayHaveManyValues(text)).toBe(true)
    expect(isRefused(() => requireFewValuesIn(text, 'a request'))).toBe(true)
  })

  test('a short text cannot have too many', () => {
    expect(mayHaveManyValues('[]'.repeat(10_000))).toBe(false)
    expect(mayHaveManyValues('[]'.repeat(10_001))).toBe(true)
  })

  test('a text that ends within a string, or is no JSON, is left to the parser', () => {
    for (const text of ['"', '"\\', '{"a', '"\\\\"["', '}{', ''])
      expect(isRefused(() => requireFewValuesIn(text, 'a request'))).toBe(false)
  })

  test('a text with too many is refused once so many were seen, and not read to its end', () => {
    let furthest = 0
    const text = messageOf(Array.from({ length: 1_000_000 }, () => []))
    const watched = new Proxy(Object(text) as object, {
      get(_, key) {
        furthest = Math.max(furthest, Number(key) || 0)
        const value = text[key as never] as unknown
        return typeof value === 'function' ? value.bind(text) : value
      },
    }) as unknown as string
    expect(isRefused(() => requireFewValuesIn(watched, 'a request'))).toBe(true)
    // Each list takes three characters and counts as 12.
    expect(furthest).toBeGreaterThan(29_000)
    expect(furthest).toBeLessThan(31_000)
  })
})
