import { expect, it } from 'vitest'
import { rank } from './rank.ts'

const items = ['Marigold', 'Sample Gold', 'Gold market', 'Gold', 'Pool'].map((name) => ({ name }))
const names = (text: string, limit = 9) => rank(text, items, limit).map(({ name }) => name)

it('puts names that begin with the text first, then words that do', () => {
  expect(names('gold')).toEqual(['Gold', 'Gold market', 'Sample Gold', 'Marigold'])
  expect(names(' GOLD ', 2)).toEqual(['Gold', 'Gold market'])
})

it('finds nothing for nothing', () => {
  expect(names('  ')).toEqual([])
  expect(names('silver')).toEqual([])
})
