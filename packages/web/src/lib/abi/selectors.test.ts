import { expect, it } from 'vitest'
import { listedLabel } from './selectors.ts'

it('labels a transaction by what it does', () => {
  const to = '0x00000000000000000000000000000000000000aa'
  const labels = [
    { function: { name: 'swap' }, to, gasUsed: '90000' },
    { function: null, to, gasUsed: '21000' },
    { function: null, to, gasUsed: '50000' },
    { function: null, to: null, gasUsed: '900000' },
  ].map(listedLabel)
  expect(labels).toEqual(['swap', 'transfer', 'call', 'create'])
})
