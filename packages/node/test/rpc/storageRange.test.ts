import { type Anvil, connectClient, startAnvil } from '@understudy/testkit'
import { type Hex, keccak256, numberToHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Range = { storage: Record<Hex, { key: Hex; value: Hex }>; nextKey: Hex | null }

/** Stores the second word of the input in the slot that the first one names; reads slot 99 before. */
const store: Hex = '0x606354506020355f3555'
const writer: Hex = '0x00000000000000000000000000000000000c0de1'
const word = (value: number): Hex => numberToHex(value, { size: 32 })
const listed = ({ storage }: Range) =>
  Object.fromEntries(Object.values(storage).map(({ key, value }) => [Number(key), Number(value)]))

let anvil: Anvil
let network: TestNetwork

beforeAll(async () => {
  anvil = await startAnvil()
  const upstream = await connectClient(anvil.url)
  await upstream.setCode({ address: writer, bytecode: store })
  for (const [slot, value] of [
    [1, 10],
    [99, 5],
    [7, 70],
  ] as const)
    await upstream.setStorageAt({ address: writer, index: slot, value: word(value) })
  await upstream.mine({ blocks: 1 })
})
afterAll(() => anvil.stop())
beforeEach(async () => {
  network = await startNetwork({ forkUrls: [anvil.url], followHead: false })
})
afterEach(() => network.stop())

const send = (slot: number, value: number) =>
  network.client.sendTransaction({ to: writer, data: `${word(slot)}${word(value).slice(2)}` as Hex, gas: 200_000n })
const range = (block: Hex, index: number, start: Hex = '0x', limit?: number) =>
  network.rpc<Range>('debug_storageRangeAt', block, index, writer, start, ...(limit === undefined ? [] : [limit]))

describe('debug_storageRangeAt', () => {
  it('lists what was touched, as it was before a transaction of a block', async () => {
    await network.rpc('evm_setAutomine', false)
    const nonce = await network.client.getTransactionCount({ address: network.client.account.address })
    for (const [index, [slot, value]] of (
      [
        [1, 11],
        [2, 22],
        [1, 0],
      ] as const
    ).entries())
      await network.client.sendTransaction({
        to: writer,
        data: `${word(slot)}${word(value).slice(2)}` as Hex,
        gas: 200_000n,
        nonce: nonce + index,
      })
    await network.client.mine({ blocks: 1 })
    await network.rpc('evm_setAutomine', true)
    const { hash, transactions } = await network.client.getBlock()
    expect(transactions).toHaveLength(3)
    // Slot 99 is the live chain's, and is read; slot 7 is not known.
    expect(listed(await range(hash, 0))).toEqual({ 1: 10, 99: 5 })
    expect(listed(await range(hash, 1))).toEqual({ 1: 11, 99: 5 })
    expect(listed(await range(hash, 2))).toEqual({ 1: 11, 2: 22, 99: 5 })
    // What is written later is not there yet.
    await send(3, 33)
    expect(listed(await range(hash, 2))).toEqual({ 1: 11, 2: 22, 99: 5 })
    const { hash: later } = await network.client.getBlock()
    expect(listed(await range(later, 0))).toEqual({ 2: 22, 99: 5 })
    await expect(range(hash, 3)).rejects.toMatchObject({
      details: expect.stringContaining('the block has 3 transactions'),
    })
  })

  it('has pages in order of the hashes', async () => {
    for (const slot of [2, 3, 4]) await send(slot, slot * 11)
    const { hash } = await network.client.getBlock()
    const whole = await range(hash, 0)
    const hashes = Object.keys(whole.storage) as Hex[]
    expect(hashes).toEqual([2, 3, 99].map((slot) => keccak256(word(slot))).sort())
    expect(whole.nextKey).toBeNull()
    const paged: Hex[] = []
    let start: Hex | null = '0x0'
    while (start !== null) {
      const { storage, nextKey }: Range = await range(hash, 0, start, 1)
      paged.push(...(Object.keys(storage) as Hex[]))
      start = nextKey
    }
    expect(paged).toEqual(hashes)
    expect(await range(hash, 0, '0x', 0)).toEqual({ storage: {}, nextKey: hashes[0] })
    expect(await network.rpc('debug_storageRangeAt', hash, 0, network.client.account.address)).toEqual({
      storage: {},
      nextKey: null,
    })
  })

  it('asks the live chain for its own blocks, where that has the method', async () => {
    for (const slot of [2, 3, 6]) await send(slot, slot * 11)
    const { hash } = await network.client.getBlock()
    const other = await startNetwork({ forkUrls: [network.url], followHead: false })
    // Nothing has read these slots there.
    expect(listed(await other.rpc<Range>('debug_storageRangeAt', hash, 0, writer))).toEqual({
      2: 22,
      3: 33,
      99: 5,
    })
    await other.stop()
  })
})
