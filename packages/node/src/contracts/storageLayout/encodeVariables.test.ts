import type { Word } from '@understudy/evm'
import { expect, it } from 'vitest'
import { wordFromBigint } from '../../shared/hex.ts'
import { encodeVariables } from './encodeVariables.ts'
import { parseStorageLayout } from './layout.ts'
import { dataSlot } from './slots.ts'

const layout = parseStorageLayout({
  storage: [
    { label: 'paused', slot: '0', offset: 20, type: 'bool' },
    { label: 'calldatas', slot: '1', offset: 0, type: 'array' },
  ],
  types: {
    bool: { encoding: 'inplace', label: 'bool', numberOfBytes: '1' },
    array: { encoding: 'dynamic_array', label: 'bytes[]', numberOfBytes: '32', base: 'bytes' },
    bytes: { encoding: 'bytes', label: 'bytes', numberOfBytes: '32' },
  },
})

/** By slot as a number: what is in it now, and what it is to have. */
async function encoded(variables: Record<string, string>, now: Record<number, bigint> = {}) {
  if (!layout) throw new Error('the layout is invalid')
  const load = async (slots: readonly Word[]) => new Map(slots.map((slot) => [slot, now[Number(slot)] ?? 0n]))
  return encodeVariables(layout, new Map(Object.entries(variables)), load)
}
const length = wordFromBigint(1n)

it('keeps what else is in a slot', async () => {
  const slots = await encoded({ paused: 'true' }, { 0: 0xabn })
  expect([...slots]).toEqual([[wordFromBigint(0n), (1n << 160n) | 0xabn]])
})

it('makes an array as long as its last element needs, and no shorter', async () => {
  const variables = { 'calldatas[0]': '0x12', 'calldatas[2]': '0x34' }
  const slots = await encoded(variables)
  expect(slots.get(length)).toBe(3n)
  expect(slots.get(wordFromBigint(dataSlot(1n) + 2n))).toBe((0x34n << 248n) | 2n)
  expect((await encoded(variables, { 1: 2n })).get(length)).toBe(3n)
  expect((await encoded(variables, { 1: 7n })).has(length)).toBe(false)
  expect((await encoded({ ...variables, 'calldatas.length': '1' })).get(length)).toBe(1n)
})
