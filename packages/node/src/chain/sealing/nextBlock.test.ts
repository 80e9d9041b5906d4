import { describe, expect, it } from 'vitest'
import type { Header } from '../../ethereum/header.ts'
import { NextBlock } from './nextBlock.ts'

const header = { number: 7n, gasLimit: 30_000_000n, baseFeePerGas: 100n } as Header

describe('what the next block is given by hand', () => {
  it('replaces what follows from the parent, once; a gas limit, for good', () => {
    const next = new NextBlock(undefined)
    next.set({ baseFeePerGas: 5n })
    next.set({ gasLimit: 1n })
    expect(next.apply(header)).toEqual({ number: 7n, gasLimit: 1n, baseFeePerGas: 5n })
    next.sealed()
    expect(next.apply(header)).toEqual({ ...header, gasLimit: 1n })
  })

  it('survives as JSON', () => {
    const next = new NextBlock(undefined)
    next.set({ baseFeePerGas: 2n ** 70n, coinbase: '0xaa', mixHash: '0xbb', gasLimit: 3n })
    const restored = new NextBlock(JSON.parse(JSON.stringify(next.settings)))
    expect(restored.apply(header)).toEqual(next.apply(header))
  })

  it('gives no base fee to a block of a fork that has none', () => {
    const next = new NextBlock({ baseFeePerGas: '5' })
    expect(next.apply({ ...header, baseFeePerGas: undefined }).baseFeePerGas).toBeUndefined()
  })
})
