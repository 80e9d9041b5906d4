import type { Word } from '@understudy/evm'
import { expect, it } from 'vitest'
import { wordFromBigint } from '../../shared/hex.ts'
import { parseStorageLayout } from './layout.ts'
import { findSlotPaths } from './slotPaths.ts'
import { dataSlot, mappedSlot } from './slots.ts'

const inplace = (label: string, numberOfBytes: string, more: object = {}) => ({
  encoding: 'inplace',
  label,
  numberOfBytes,
  ...more,
})
const layout = parseStorageLayout({
  storage: [
    { label: 'owner', slot: '0', offset: 0, type: 'address' },
    { label: 'paused', slot: '0', offset: 20, type: 'bool' },
    { label: 'balances', slot: '1', offset: 0, type: 'mapping' },
    { label: 'small', slot: '2', offset: 0, type: 'array' },
    { label: 'points', slot: '3', offset: 0, type: 'fixed' },
    { label: 'name', slot: '7', offset: 0, type: 'string' },
  ],
  types: {
    address: inplace('address', '20'),
    bool: inplace('bool', '1'),
    uint64: inplace('uint64', '8'),
    point: inplace('struct Point', '64', {
      members: [
        { label: 'x', slot: '0', offset: 0, type: 'uint256' },
        { label: 'y', slot: '1', offset: 0, type: 'uint256' },
      ],
    }),
    uint256: inplace('uint256', '32'),
    mapping: { encoding: 'mapping', label: 'mapping', numberOfBytes: '32', key: 'address', value: 'uint256' },
    array: { encoding: 'dynamic_array', label: 'uint64[]', numberOfBytes: '32', base: 'uint64' },
    fixed: inplace('struct Point[2]', '128', { base: 'point' }),
    string: { encoding: 'bytes', label: 'string', numberOfBytes: '32' },
  },
})

const holder = wordFromBigint(0xabn)
const pathsOf = async (slot: bigint, keys: readonly Word[] = [holder]) => {
  if (!layout) throw new Error('the layout is invalid')
  const word = wordFromBigint(slot)
  return (await findSlotPaths(layout, [word], async () => [...keys])).get(word)
}

it('names the variables of a slot, all of a packed one', async () => {
  expect(await pathsOf(0n)).toEqual(['owner', 'paused'])
  expect(await pathsOf(6n)).toEqual(['points[1].y'])
  expect(await pathsOf(99n)).toBeUndefined()
})

it('names the elements of an array, and the slot of its length', async () => {
  expect(await pathsOf(2n)).toEqual(['small.length'])
  expect(await pathsOf(dataSlot(2n) + 1n)).toEqual(['small[4]', 'small[5]', 'small[6]', 'small[7]'])
})

it('names the later slots of a long text', async () => {
  expect(await pathsOf(dataSlot(7n) + 3n)).toEqual(['name'])
})

it('names the values of mappings whose key was used', async () => {
  const slot = mappedSlot(1n, holder)
  expect(await pathsOf(slot)).toEqual(['balances[0x00000000000000000000000000000000000000AB]'])
  expect(await pathsOf(slot, [])).toBeUndefined()
})
