import { type Anvil, startAnvil } from '@understudy/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { blocksAt, blocksOf } from './blocksOf.ts'

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
  // 20 blocks, a minute apart.
  await anvil.rpc('anvil_mine', ['0x14', '0x3c'])
})
afterAll(() => anvil?.stop())

it.each([
  ['5m', 16n, 20n],
  ['1h', 1n, 20n],
  ['1d', 1n, 20n],
])('finds the blocks of the last %s', async (text, from, to) => {
  expect(await blocksOf(text, blocksAt([anvil.url]))).toEqual({ from, to })
})

it('takes numbers, and refuses what is neither', async () => {
  expect(await blocksOf('7..9', blocksAt([]))).toEqual({ from: 7n, to: 9n })
  for (const wrong of ['9..7', '0..7', '5', '0m', '1w', ''])
    await expect(blocksOf(wrong, blocksAt([]))).rejects.toThrow(/--blocks.*1d, 12h or 30m/)
})
