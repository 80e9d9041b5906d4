import { createHash } from 'node:crypto'
import { type Anvil, createFakeClock, type FaultProxy, startAnvil, startFaultProxy } from '@understudy/testkit'
import { type Address, concat, type Hex, numberToHex, pad, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { consolidations, withdrawals } from './requestContracts.ts'

const sha256 = (...parts: readonly Hex[]): Hex => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part.slice(2), 'hex')
  return `0x${hash.digest('hex')}`
}
/** EIP-7685: each list is a type and its records. */
const hashOf = (...lists: (readonly [type: Hex, records: readonly Hex[]])[]) =>
  sha256(...lists.map(([type, records]) => sha256(type, ...records)))
const nothing = hashOf()

const littleEndian = (amount: number) =>
  toHex(Uint8Array.from(Buffer.from(pad(numberToHex(amount), { size: 8 }).slice(2), 'hex')).reverse())
const keyOf = (index: number) => pad(numberToHex(index), { size: 48 })

/** A request of the live chain. */
const waiting: readonly Hex[] = [
  `0x${'11'.repeat(20)}`,
  `0x${'22'.repeat(32)}`,
  `0x${'33'.repeat(32)}`,
  `0x${'44'.repeat(32)}`,
]

describe('requests of validators', () => {
  let anvil: Anvil
  let upstream: FaultProxy
  let network: TestNetwork
  const rpc = <T>(method: string, ...params: unknown[]) => network.rpc<T>(method, ...params)
  const sender = () => network.client.account.address
  const hashIn = async (tag: string) =>
    (await rpc<{ requestsHash: Hex }>('eth_getBlockByNumber', tag, false)).requestsHash
  const mined = async () => {
    await rpc('evm_mine')
    return hashIn('latest')
  }
  const slotOf = (address: Address, slot: number) =>
    rpc<Hex>('eth_getStorageAt', address, numberToHex(slot), 'latest').then(Number)

  /** Sends a withdrawal of a validator; returns the record that the consensus layer gets. */
  async function withdraw(index: number): Promise<Hex> {
    const data = concat([keyOf(index), pad(numberToHex(1000 + index), { size: 8 })])
    await rpc('eth_sendTransaction', { from: sender(), to: withdrawals.address, data, value: '0x1', gas: '0x40000' })
    return concat([sender(), keyOf(index), littleEndian(1000 + index)])
  }
  async function withdrawMany(count: number): Promise<Hex[]> {
    const records: Hex[] = []
    for (let index = 1; index <= count; index++) records.push(await withdraw(index))
    return records
  }
  /** Sends a consolidation to the queue in which one of the live chain waits; returns the records of both. */
  async function consolidate(): Promise<Hex[]> {
    const keys = concat([keyOf(7), keyOf(8)])
    const request = { from: sender(), to: consolidations.address, data: keys, value: '0x1', gas: '0x40000' }
    await rpc('eth_sendTransaction', request)
    return [concat(waiting), concat([sender(), keys])]
  }

  /** In blocks of which nothing is left afterwards. */
  async function undone(task: () => Promise<void>): Promise<void> {
    const snapshot = await rpc<Hex>('evm_snapshot')
    await task()
    expect(await rpc('evm_revert', snapshot)).toBe(true)
  }

  beforeAll(async () => {
    anvil = await startAnvil()
    for (const { address, code } of [withdrawals, consolidations]) await anvil.rpc('anvil_setCode', [address, code])
    // It was counted, and the queue ends after it.
    const queue: [slot: number, word: Hex][] = [
      [1, '0x1'],
      [3, '0x1'],
      ...waiting.map((word, index): [number, Hex] => [4 + index, word]),
    ]
    for (const [slot, word] of queue)
      await anvil.rpc('anvil_setStorageAt', [consolidations.address, pad(numberToHex(slot)), pad(word)])
    upstream = await startFaultProxy(anvil.url)
  })
  afterAll(async () => {
    await upstream?.stop()
    await anvil?.stop()
  })
  beforeEach(async () => {
    const options = { forkUrls: [upstream.url], followHead: false, hardfork: 'prague', chainId: 777, accounts: 1 }
    network = await startNetwork(options, { clock: createFakeClock() })
    await rpc('dev_setMiningMode', 'manual')
  })
  afterEach(async () => {
    upstream.clear()
    await network?.stop()
  })

  it('have their contracts in eth_config', async () => {
    const { current } = await rpc<{ current: { systemContracts: Record<string, Hex> } }>('eth_config')
    expect(current.systemContracts).toMatchObject({
      WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS: withdrawals.address,
      CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS: consolidations.address,
    })
  })

  it('leaves a queue that it did not write to, to the live chain', async () => {
    upstream.resetStats()
    expect(await mined()).toBe(nothing)
    await rpc('anvil_mine', numberToHex(1100))
    expect(await hashIn('latest')).toBe(nothing)
    const { byMethod } = upstream.stats()
    for (const method of ['eth_getStorageAt', 'eth_getCode', 'eth_getBalance', 'eth_call', 'eth_getProof'])
      expect(byMethod[method], method).toBeUndefined()
    expect(await slotOf(consolidations.address, 3)).toBe(1)
  })

  it('takes them later where upstream does not give its part of the queue', async () => {
    upstream.set({
      answer: ({ method, params = [] }) => {
        const isHead = method === 'eth_getStorageAt' && params[0] === consolidations.address && Number(params[1]) === 2
        return isHead ? { error: { code: -32000, message: 'not today' } } : undefined
      },
    })
    const records = await consolidate()
    const own = await withdraw(1)
    expect(await mined()).toBe(hashOf(['0x01', [own]]))
    upstream.clear()
    expect(await mined()).toBe(hashOf(['0x02', records]))
  })

  it('hashes those of a block into its header, by type', async () => {
    const records = await consolidate()
    const expected = hashOf(['0x01', [await withdraw(1)]], ['0x02', records])
    expect(await hashIn('pending')).toBe(expected)
    expect(await mined()).toBe(expected)
    expect(await mined()).toBe(nothing)
    for (const slot of [0, 1, 2, 3]) expect(await slotOf(withdrawals.address, slot)).toBe(0)
  })

  it('takes as many as fit into each block, also after a restart and a revert', async () => {
    const records = await withdrawMany(20)
    expect(await mined()).toBe(hashOf(['0x01', records.slice(0, 16)]))
    await network.restart()
    const rest = hashOf(['0x01', records.slice(16)])
    await undone(async () => {
      expect(await mined()).toBe(rest)
      expect(await mined()).toBe(nothing)
    })
    expect([await slotOf(withdrawals.address, 2), await slotOf(withdrawals.address, 3)]).toEqual([16, 20])
    expect(await hashIn('pending')).toBe(rest)
    expect(await mined()).toBe(rest)
  })

  it('seals many empty blocks after them as one by one', async () => {
    // After them, prices no longer move.
    await rpc('anvil_mine', numberToHex(200))
    const records = await withdrawMany(20)
    expect(await mined()).toBe(hashOf(['0x01', records.slice(0, 16)]))
    expect(await mined()).toBe(hashOf(['0x01', records.slice(16)]))
    // The queue is empty, but the price of a request has yet to fall.
    expect(await mined()).toBe(nothing)
    expect(await slotOf(withdrawals.address, 0)).toBeGreaterThan(0)
    const head = Number(await rpc<Hex>('eth_blockNumber'))
    const blocks = (numbers: number[]) =>
      Promise.all(numbers.map((number) => rpc('eth_getBlockByNumber', numberToHex(head + number), false)))
    const compared = [1, 2, 9, 10, 600, 1100]
    let atOnce: unknown[] = []
    await undone(async () => {
      await rpc('anvil_mine', numberToHex(1100))
      expect(await slotOf(withdrawals.address, 0)).toBe(0)
      atOnce = await blocks(compared)
    })
    for (const count of [900, 200]) await rpc('anvil_mine', numberToHex(count))
    expect(await blocks(compared)).toEqual(atOnce)
  })

  it('forgets its queue with the rest of its state', async () => {
    await withdrawMany(20)
    await rpc('evm_mine')
    await rpc('mock_wipeLocalState')
    expect(await hashIn('latest')).toBe(nothing)
    expect(await slotOf(withdrawals.address, 3)).toBe(0)
    expect(await mined()).toBe(nothing)
  })

  it('collects those of a simulation', async () => {
    const data = concat([keyOf(3), pad('0x5', { size: 8 })])
    const call = { from: sender(), to: withdrawals.address, data, value: '0x1' }
    const [block] = await rpc<{ requestsHash: Hex }[]>(
      'eth_simulateV1',
      { blockStateCalls: [{ calls: [call] }] },
      'latest',
    )
    expect(block?.requestsHash).toBe(hashOf(['0x01', [concat([sender(), keyOf(3), littleEndian(5)])]]))
  })
})
