import { describe, expect, it } from 'vitest'
import { Shares } from './shares.ts'

/** Takes as much as it gets, and answers how much that was. */
function takeAll(shares: Shares, holder: string): number {
  const before = shares.used
  for (let amount = shares.limit; amount >= 1; amount /= 2) while (shares.take(holder, Math.floor(amount)));
  return shares.used - before
}

describe('shares', () => {
  it('leave something for each who comes later', () => {
    const shares = new Shares(1200)
    expect(['a', 'b', 'c', 'd'].map((holder) => takeAll(shares, holder))).toEqual([600, 300, 150, 75])
  })

  it('have one for a holder that has nothing, however small the limit', () => {
    const shares = new Shares(3)
    expect(['a', 'b', 'c', 'd'].map((holder) => shares.take(holder, 1))).toEqual([true, true, true, false])
    expect(new Shares(1).take('a', 1)).toBe(true)
  })

  it('are free again when they were given back', () => {
    const shares = new Shares(1200)
    takeAll(shares, 'a')
    shares.give('a', 600)
    expect([shares.used, shares.leftFor('b'), takeAll(shares, 'b')]).toEqual([0, 600, 600])
  })

  it('are not taken in part', () => {
    const shares = new Shares(10)
    expect([shares.take('a', 6), shares.used, shares.take('a', 5), shares.used]).toEqual([false, 0, true, 5])
  })

  it('are all for one where nothing is shared', () => {
    const shares = new Shares(10, { isShared: false })
    expect([shares.take('a', 10), shares.take('b', 1)]).toEqual([true, false])
  })

  it('may exempt a holder, and shares what that one leaves', () => {
    const shares = new Shares(10, { exempt: 'a' })
    expect([shares.take('a', 6), shares.take('b', 3), shares.take('b', 2), shares.take('a', 2)]).toEqual([
      true,
      false,
      true,
      true,
    ])
  })
})
