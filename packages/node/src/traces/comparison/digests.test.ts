import { describe, expect, it } from 'vitest'
import { Digests } from './digests.ts'

const digestsOf = (count: number, changed = -1) => {
  const digests = new Digests()
  for (let index = 0; index < count; index++) digests.add(index === changed ? 7 : index % 5, index)
  return digests
}

describe('digests', () => {
  it('find nothing between equal sequences', () => {
    expect(digestsOf(100_000).parting(digestsOf(100_000))).toBeUndefined()
    expect(digestsOf(0).parting(digestsOf(0))).toBeUndefined()
  })

  it.each([0, 1, 4095, 4096, 70_000, 99_999])('find the interval of item %i', (changed) => {
    const { from, to } = digestsOf(100_000).parting(digestsOf(100_000, changed)) ?? { from: 0, to: 0 }
    expect(from <= changed && changed < to && to - from <= 64).toBe(true)
  })

  it('find where the shorter one ends', () => {
    for (const [long, short] of [
      [100_000, 90_001],
      [5000, 3],
      [1, 0],
    ] as const) {
      const { from, to } = digestsOf(long).parting(digestsOf(short)) ?? { from: 0, to: 0 }
      expect(from <= short && short < to).toBe(true)
      expect(digestsOf(short).parting(digestsOf(long))).toEqual({ from, to })
    }
  })
})
