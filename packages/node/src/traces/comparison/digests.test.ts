import { describe, expect, it } from 'vitest'
import { Digests, digestInterval } from './digests.ts'

function digestsOf(steps: readonly bigint[], reads: readonly bigint[] = steps): Digests {
  const digests = new Digests()
  for (const [index, step] of steps.entries()) digests.add(step, reads[index] as bigint)
  return digests
}

describe('digests', () => {
  it('find the interval in which operations differ first, and that of values', () => {
    const digests = digestsOf([1n, 2n, 3n, 4n])
    const at = (steps: number, reads: number) => ({ steps: steps * digestInterval, reads: reads * digestInterval })
    expect(digests.firstDifference(digestsOf([1n, 2n, 9n, 9n], [1n, 9n, 9n, 9n]))).toEqual(at(1, 0))
    expect(digests.firstDifference(digestsOf([1n, 2n, 3n, 4n], [1n, 2n, 3n, 9n]))).toEqual(at(3, 2))
    expect(digests.firstDifference(digestsOf([9n]))).toEqual(at(0, 0))
    expect(digests.firstDifference(digestsOf([1n, 2n]))).toEqual(at(1, 1))
    expect(digests.firstDifference(digests)).toEqual(at(3, 3))
    expect(digestsOf([]).firstDifference(digests)).toEqual(at(0, 0))
  })
})
