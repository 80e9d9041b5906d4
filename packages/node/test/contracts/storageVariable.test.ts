import { type Anvil, startAnvil } from '@understudy/testkit'
import { type Hex, pad, sliceHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const address = '0x00000000000000000000000000000000000000b7'
const bytes = Array.from({ length: 32 }, (_, index) => 255 - index)

describe('dev_setStorageVariable', () => {
  let anvil: Anvil
  let network: TestNetwork
  beforeAll(async () => {
    anvil = await startAnvil()
    await anvil.rpc('anvil_setStorageAt', [address, '0x7', pad('0x1234', { size: 32 })])
    await anvil.rpc('anvil_mine')
    network = await startNetwork({ forkUrls: [anvil.url] })
  })
  afterAll(async () => {
    await network?.stop()
    await anvil?.stop()
  })

  const set = (variable: object) => network.rpc('dev_setStorageVariable', address, variable)
  const slot = (number: number) => network.rpc<Hex>('eth_getStorageAt', address, `0x${number.toString(16)}`, 'latest')

  it('sets its bytes and keeps the others of the slot, which the live chain has', async () => {
    const word = `0x${'00'.repeat(28)}ff9c1234`
    expect(await set({ slot: 7, offset: 2, size: 2, value: '-100' })).toEqual({
      address,
      slot: pad('0x7', { size: 32 }),
      value: word,
    })
    expect(await slot(7)).toBe(word)
  })

  it('loses none of many writes to one slot that arrive together', async () => {
    await Promise.all(bytes.map((value, offset) => set({ slot: '8', offset, size: 1, value })))
    const word = await slot(8)
    expect(bytes.map((_, offset) => Number(sliceHex(word, 31 - offset, 32 - offset)))).toEqual(bytes)
  })

  it('sets a whole slot', async () => {
    const value = `0x${'ab'.repeat(32)}`
    expect(await set({ slot: '9', offset: 0, size: 32, value })).toMatchObject({ value })
  })

  it.each([
    [{ slot: '1', offset: 0, size: 1, value: '256' }, /params\[1\]\.value: 256 does not fit into a byte/],
    [{ slot: '1', offset: 0, size: 1, value: '-129' }, /params\[1\]\.value: -129 does not fit/],
    [{ slot: '1', offset: 30, size: 3, value: '0' }, /params\[1\]\.size: expected at most 2 bytes at offset 30, got 3/],
    [{ slot: '1', offset: 32, size: 1, value: '0' }, /params\[1\]\.offset/],
    [{ slot: '1', offset: 0, size: 0, value: '0' }, /params\[1\]\.size/],
    [{ slot: '1', offset: 0, size: 1, value: 'many' }, /params\[1\]\.value: expected a whole number/],
    [{ slot: '1', offset: 0, size: 1 }, /params\[1\]\.value/],
    [{ slot: '1', offset: 0, size: 1, value: '1', type: 'bool' }, /params\[1\]\.type: is not a known field/],
  ])('refuses %o', async (variable, message) => {
    await expect(set(variable)).rejects.toThrow(message)
    expect(BigInt(await slot(1))).toBe(0n)
  })

  it('refuses a slot that is followed', async () => {
    await network.rpc('dev_followSlots', address, ['10'])
    await expect(set({ slot: '10', offset: 0, size: 1, value: '1' })).rejects.toThrow(/dev_unfollowSlots/)
  })
})
