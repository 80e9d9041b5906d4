import { type Anvil, artifacts, connectClient, deployContract, startAnvil, type TestClient } from '@understudy/testkit'
import { type Address, pad, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

describe('dev_getDrift', () => {
  let anvil: Anvil
  let live: TestClient
  let network: TestNetwork
  let counter: Address
  let untouched: Address

  const word = (value: number) => pad(toHex(value))
  const drift = (...params: unknown[]) => network.rpc<Record<string, unknown>[]>('dev_getDrift', ...params)
  const setLive = async (address: Address, value: bigint) => {
    const write = { address, abi: artifacts.Counter.abi, functionName: 'setNumber', args: [value] } as const
    await live.waitForTransactionReceipt({ hash: await live.writeContract(write) })
    const head = Number(await live.getBlockNumber())
    await eventually(
      () => network.rpc<{ base: { number: number } }>('dev_getNetworkInfo'),
      ({ base }) => base.number >= head,
    )
  }

  beforeAll(async () => {
    anvil = await startAnvil()
    live = await connectClient(anvil.url)
  })
  afterAll(() => anvil?.stop())
  beforeEach(async () => {
    counter = await deployContract(live, artifacts.Counter, [1n])
    untouched = await deployContract(live, artifacts.Counter, [1n])
    network = await startNetwork({ forkUrls: [anvil.url] })
  })
  afterEach(() => network?.stop())
  const freeze = async () => {
    await network.rpc('dev_setStorageAt', counter, '0x0', word(50))
    await network.rpc('dev_setStorageAt', counter, '0x1', word(51))
    await network.rpc('dev_setBalance', counter, '777')
  }

  it('is silent about what was changed only here', async () => {
    await freeze()
    expect(await drift({ address: counter })).toEqual([])
  })

  it('tells what upstream changed since, with what it was', async () => {
    await freeze()
    await setLive(untouched, 9n)
    await setLive(counter, 2n)
    await anvil.rpc('anvil_setBalance', [counter, '0x5'])
    await setLive(counter, 3n)
    const address = counter.toLowerCase()
    const expected = [
      { address, field: 'balance', slot: null, local: '777', upstream: '5', upstreamWhenFrozen: '0' },
      { address, field: 'storage', slot: word(0), local: word(50), upstream: word(3), upstreamWhenFrozen: word(1) },
    ]
    expect(await drift({ address: counter })).toEqual(expected)
    expect((await drift()).filter((item) => item.address === address)).toEqual(expected)
    expect((await drift()).filter((item) => item.address === untouched.toLowerCase())).toEqual([])
    await network.restart()
    expect(await drift({ address: counter })).toEqual(expected)
  })

  it('begins again when a value was given back and frozen again', async () => {
    await freeze()
    await setLive(counter, 3n)
    await network.rpc('dev_resyncAccount', counter)
    expect(await drift({ address: counter })).toEqual([])
    await network.rpc('dev_setStorageAt', counter, '0x0', word(60))
    expect(await drift({ address: counter })).toEqual([])
    await setLive(counter, 4n)
    expect(await drift({ address: counter })).toMatchObject([
      { field: 'storage', local: word(60), upstream: word(4), upstreamWhenFrozen: word(3) },
    ])
  })

  it('lists local state by account, page by page', async () => {
    type Page = { items: { address: string; slotCount: number }[]; next: string | null }
    const slots = Array.from({ length: 6 }, (_, at) => word(at + 100))
    for (const slot of slots) await network.rpc('dev_setStorageAt', untouched, slot, word(7))
    await network.rpc('dev_setBalance', untouched, '3')
    const items: Page['items'] = []
    let cursor: string | null = null
    do {
      const page: Page = await network.rpc<Page>('dev_getLocalState', { limit: 2, ...(cursor && { cursor }) })
      expect(page.items.length).toBeLessThanOrEqual(2)
      items.push(...page.items)
      cursor = page.next
    } while (cursor !== null)
    const addresses = items.map(({ address }) => address)
    expect(addresses).toEqual([...new Set(addresses)].sort())
    expect(items.find(({ address }) => address === untouched.toLowerCase())).toEqual({
      address: untouched.toLowerCase(),
      balance: '3',
      nonce: null,
      code: null,
      slots: slots.slice(0, 4).map((slot) => ({ slot, value: word(7), variables: [] })),
      slotCount: 6,
    })
    await network.rpc('dev_resyncAccount', untouched)
    const { items: rest } = await network.rpc<Page>('dev_getLocalState')
    expect(rest.map(({ address }) => address)).toEqual(addresses.filter((one) => one !== untouched.toLowerCase()))
    await expect(network.rpc('dev_getLocalState', { cursor: 'x' })).rejects.toThrow(/cursor/)
  })

  it('names the field of a bad parameter', async () => {
    await expect(drift({ address: '0x12' })).rejects.toThrow(/params\[0\].address/)
  })
})
