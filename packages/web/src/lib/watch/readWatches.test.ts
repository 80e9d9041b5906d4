import { expect, it } from 'vitest'
import { readWatches, watchLimit } from './readWatches.ts'

const address = `0x${'Ab'.repeat(20)}`

it('reads what was stored, and leaves out anything else', () => {
  const items = [{ id: 'a', name: 'Reserve' }, { id: 7 }, null]
  const stored = { accounts: [address, '0x12', 5], items, outages: true, system: 'yes' }
  expect(readWatches(JSON.stringify(stored))).toEqual({
    accounts: [address.toLowerCase()],
    items: [{ id: 'a', name: 'Reserve' }],
    outages: true,
    system: false,
  })
})

it('watches nothing at first, and not more than so many', () => {
  expect(readWatches(null)).toEqual({ accounts: [], items: [], outages: false, system: false })
  expect(readWatches('[')).toEqual(readWatches(null))
  expect(readWatches(JSON.stringify({ accounts: Array(500).fill(address) })).accounts).toHaveLength(watchLimit)
})
