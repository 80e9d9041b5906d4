import { describe, expect, it } from 'vitest'
import { pacedText } from './pacedText.ts'

const anyLength = () => {}

describe('pacedText', () => {
  it('writes what JSON.stringify writes, in parts', async () => {
    const list = Array.from({ length: 20_000 }, (_, index) => ({
      index,
      'a "name"': ['x', null, true],
      none: undefined,
    }))
    const value = {
      missing: undefined,
      results: [{ list, empty: [], none: {} }, undefined],
      failed: null,
      'a\n': 'é\ud800',
    }
    const text = await pacedText(value, anyLength)
    expect(text.toString()).toBe(JSON.stringify(value))
    expect(text.parts.length).toBeGreaterThan(20)
  })

  it('writes trees of any depth', async () => {
    let tree: object = { name: 'leaf' }
    for (let depth = 0; depth < 1000; depth++) tree = { name: 'x'.repeat(100), calls: [tree, { name: 'y' }] }
    expect((await pacedText(tree, anyLength)).toString()).toBe(JSON.stringify(tree))
  })

  it('lets others run in between', async () => {
    let turns = 0
    const count = () => {
      turns++
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    const slow = {
      text: 'x'.repeat(1000),
      get more() {
        const until = performance.now() + 1
        while (performance.now() < until);
        return 1
      },
    }
    await pacedText(Array(50).fill(slow), anyLength)
    clearImmediate(next)
    expect(turns).toBeGreaterThan(3)
  })

  it('stops where the length is refused', async () => {
    const lengths: number[] = []
    const refuse = (length: number) => {
      lengths.push(length)
      if (length > 100_000) throw new Error('too long')
    }
    const list = Array.from({ length: 100 }, () => 'x'.repeat(10_000))
    await expect(pacedText(list, refuse)).rejects.toThrow('too long')
    expect(lengths.at(-1)).toBeLessThan(200_000)
  })
})
