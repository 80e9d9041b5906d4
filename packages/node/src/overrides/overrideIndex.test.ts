import type { Hex } from '@understudy/evm'
import { describe, expect, it } from 'vitest'
import { bytesFromHex } from '../shared/hex.ts'
import { OverrideIndex } from './overrideIndex.ts'

const address = `0x${'aa'.repeat(20)}` as const
const selector = '0x70a08231'
const one = bytesFromHex('0x01')
const two = bytesFromHex('0x02')
const input = (inputs: string) => bytesFromHex(`${selector}${inputs}`)
const resolved = (index: OverrideIndex, called: Hex, given: Uint8Array) =>
  index.table?.resolve(called, given, new Uint8Array())

describe('the index of overrides', () => {
  it('answers by the inputs first, and by the wildcard for all others', () => {
    const index = new OverrideIndex()
    index.set({ address, selector, inputs: undefined, output: one })
    index.set({ address, selector, inputs: bytesFromHex('0xff'), output: two })
    expect(resolved(index, address, input('ff'))).toBe(two)
    expect(resolved(index, address, input('fe'))).toBe(one)
    expect(resolved(index, address, bytesFromHex('0x12345678ff'))).toBeUndefined()
    expect(resolved(index, `0x${'bb'.repeat(20)}`, input('ff'))).toBeUndefined()
  })

  it('replaces the override of the same inputs, and is the same table until it changes', () => {
    const index = new OverrideIndex()
    index.set({ address, selector, inputs: undefined, output: one })
    const { table } = index
    expect(index.table).toBe(table)
    index.set({ address, selector, inputs: undefined, output: two })
    expect(index.table).not.toBe(table)
    expect(index.table?.replacements()).toEqual([{ address, selector, inputs: undefined, output: two }])
  })

  it('is empty when the last override is deleted, and knows no others', () => {
    const index = new OverrideIndex()
    const inputs = bytesFromHex('0xff')
    index.set({ address, selector, inputs: undefined, output: one })
    index.set({ address, selector, inputs, output: two })
    index.delete({ address, selector: '0x00000000', inputs: undefined })
    index.delete({ address, selector, inputs: undefined })
    expect(index.table?.targets).toEqual([[address, selector]])
    expect(resolved(index, address, input('fe'))).toBeUndefined()
    index.delete({ address, selector, inputs })
    expect(index.table).toBeUndefined()
  })

  it('is made again in another thread from its replacements', () => {
    const index = new OverrideIndex()
    index.set({ address, selector, inputs: bytesFromHex('0xff00'), output: two })
    index.set({ address, selector, inputs: undefined, output: one })
    const copy = new OverrideIndex()
    for (const replacement of index.table?.replacements() ?? []) copy.set(replacement)
    for (const inputs of ['ff00', 'ff', ''])
      expect(resolved(copy, address, input(inputs))).toEqual(inputs === 'ff00' ? two : one)
  })
})
