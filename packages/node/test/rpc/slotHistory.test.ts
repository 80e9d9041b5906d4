import {
  type Anvil,
  artifacts,
  connectClient,
  createFakeClock,
  deployContract,
  startAnvil,
  testAccounts,
} from '@understudy/testkit'
import { type Address, concat, encodeFunctionData, type Hex, keccak256, numberToHex, pad } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

type Write = {
  cause: string
  block: number
  transaction: Hex | null
  timestamp: string | null
  before: Hex | null
  isLiveBefore: boolean
  after: Hex | null
  isLiveAfter: boolean
  line: { file: string; line: number; function: string } | null
}
type Page = { items: Write[]; next: string | null; since: number }

const { Counter } = artifacts
const word = (value: number) => pad(numberToHex(value), { size: 32 })
const increment = encodeFunctionData({ abi: Counter.abi, functionName: 'increment' })

let network: TestNetwork
let counter: Address
const historyOf = (options?: object) =>
  network.rpc<Page>('dev_getSlotHistory', counter, '0x0', ...(options ? [options] : []))
/** The changes as cause, values and transaction, newest first. */
const changes = async () =>
  (await historyOf()).items.map(({ cause, before, after, transaction }) => [
    cause,
    before && Number(before),
    after && Number(after),
    transaction,
  ])
const send = (from: Address, more: object = {}) =>
  network.rpc<Hex>('eth_sendTransaction', { from, to: counter, data: increment, gas: '0x30000', ...more })
const blockOf = async (hash: Hex) => Number((await network.client.getTransactionReceipt({ hash })).blockNumber)
const head = async () => Number(await network.rpc<Hex>('eth_blockNumber'))
const [alice, bob, carol] = testAccounts.map(({ address }) => address) as [Address, Address, Address]

/** Sends transactions for one block. */
async function inOneBlock(...sends: (() => Promise<Hex>)[]): Promise<Hex[]> {
  await network.rpc('evm_setAutomine', false)
  const hashes: Hex[] = []
  for (const each of sends) hashes.push(await each())
  await network.rpc('evm_mine')
  await network.rpc('evm_setAutomine', true)
  return hashes
}

async function readAll(limit: number): Promise<Write[]> {
  const all: Write[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page = await historyOf({ limit, ...(cursor && { cursor }) })
    expect(page.items.length).toBeLessThanOrEqual(limit)
    all.push(...page.items)
    cursor = page.next
  }
  return all
}

describe('the history of a slot', () => {
  beforeEach(async () => {
    network = await startNetwork({})
    const { abi, deployedBytecode } = Counter
    const lines = {
      files: ['src/Counter.sol'],
      functions: ['Counter.increment'],
      runtime: `0:12:0:-${';'.repeat(2000)}`,
    }
    await network.rpc('dev_importContracts', {
      contracts: [{ name: 'Counter', abi: JSON.stringify(abi), bytecode: deployedBytecode, deployedBytecode, lines }],
    })
    counter = await deployContract(network.client, Counter, [7n])
  })
  afterEach(() => network.stop())

  it('has each transaction of a block that wrote it, newest first, in pages', async () => {
    const added = await send(alice)
    const setAt = Date.now()
    await network.rpc('dev_setStorageAt', counter, '0x0', word(20))
    const at = await head()
    // The last one fails: it calls the contract too, but changes nothing.
    const [one, two, failed] = (await inOneBlock(
      () => send(alice),
      () => send(bob),
      () => send(carol, { data: '0x12345678' }),
    )) as [Hex, Hex, Hex]
    expect((await network.client.getTransactionReceipt({ hash: failed })).status).toBe('reverted')

    const { items, next, since } = await historyOf({ lines: true })
    expect([next, since]).toEqual([null, 0])
    const timeOf = async (block: number) => {
      const { timestamp } = await network.client.getBlock({ blockNumber: BigInt(block) })
      return new Date(Number(timestamp) * 1000).toISOString()
    }
    const written = async (transaction: Hex, before: number, line = 12) => {
      const block = await blockOf(transaction)
      return {
        cause: 'transaction',
        block,
        transaction,
        timestamp: await timeOf(block),
        before: word(before),
        isLiveBefore: false,
        after: word(before + 1),
        isLiveAfter: false,
        line: expect.objectContaining({ file: 'src/Counter.sol', line, function: 'Counter.increment' }),
      }
    }
    expect(items.slice(0, 4)).toEqual([
      await written(two, 21),
      await written(one, 20),
      {
        cause: 'setStorageAt',
        block: at,
        transaction: null,
        timestamp: expect.any(String),
        before: word(8),
        isLiveBefore: false,
        after: word(20),
        isLiveAfter: false,
        line: null,
      },
      await written(added, 7),
    ])
    expect(Math.abs(Date.parse(items[2]?.timestamp ?? '') - setAt)).toBeLessThan(20_000)
    // Its constructor: a new contract has no storage before.
    expect(items[4]).toMatchObject({ cause: 'transaction', before: word(0), isLiveBefore: false, after: word(7) })
    expect(items).toHaveLength(5)
    for (const limit of [1, 2, 3]) expect(await readAll(limit)).toEqual(items.map((item) => ({ ...item, line: null })))
    for (const cursor of ['x', '1', '1.5.2']) await expect(historyOf({ cursor })).rejects.toThrow(/cursor/)
  })

  it('notes the last writer beside each value, also where several wrote it in one block', async () => {
    await send(alice)
    const [{ id } = { id: '' }] = await network.rpc<{ id: string }[]>('dev_getWorkspaces')
    const writer = async () => {
      const { entries } = await network.rpc<{ entries: { lastWriter: Hex | null }[] }>('dev_getWorkspaceStorage', id)
      return entries.map(({ lastWriter }) => lastWriter)
    }
    const hash = await send(alice)
    expect(await writer()).toEqual([hash])
    await network.rpc('dev_setStorageAt', counter, '0x0', word(3))
    expect(await writer()).toEqual([null])
    const [, second] = await inOneBlock(
      () => send(alice),
      () => send(bob),
      () => send(carol, { data: '0x12345678' }),
    )
    expect(await writer()).toEqual([second])
  })

  it('names reverts, and has nothing of what they removed, or of a slot that only the live chain wrote', async () => {
    await network.rpc('dev_setStorageAt', counter, '0x0', word(5))
    const { items } = await historyOf()
    const snapshot = await network.rpc('evm_snapshot')
    const at = await head()
    await inOneBlock(
      () => send(alice),
      () => send(bob),
    )
    expect((await historyOf()).items).toHaveLength(items.length + 2)
    await network.rpc('evm_revert', snapshot)
    const reverted = await historyOf()
    expect(reverted.items.slice(1)).toEqual(items)
    expect(reverted.items[0]).toMatchObject({ cause: 'revert', block: at, before: word(7), after: word(5) })
    const hash = await send(alice)
    expect((await changes()).slice(0, 2)).toEqual([
      ['transaction', 5, 6, hash],
      ['revert', 7, 5, null],
    ])
    expect(await network.rpc('dev_getSlotHistory', counter, '0x9')).toEqual({ items: [], next: null, since: 0 })
  })

  it('is the same after a restart, and begins again with a reset', async () => {
    await send(alice)
    const { items } = await historyOf()
    await network.restart()
    expect((await historyOf()).items).toEqual(items)
    await network.rpc('hardhat_reset')
    expect((await historyOf()).items).toEqual([])
  })
})

describe('the history of a slot of the live chain', () => {
  let anvil: Anvil

  beforeAll(async () => {
    anvil = await startAnvil()
  })
  afterAll(() => anvil.stop())
  beforeEach(async () => {
    counter = await deployContract(await connectClient(anvil.url), Counter, [40n])
    network = await startNetwork({ forkUrls: [anvil.url] })
  })
  afterEach(() => network.stop())

  it('begins with its value there, and names what is not a transaction', async () => {
    const first = await send(alice)
    const { items, since } = await historyOf()
    expect(since).toBe((await blockOf(first)) - 1)
    expect(items).toMatchObject([
      { cause: 'transaction', transaction: first, before: word(40), isLiveBefore: true, after: word(41) },
    ])
    await network.rpc('dev_resyncAccount', counter)
    const second = await send(alice)
    await network.rpc('dev_followSlots', counter, ['0x0'])
    await send(alice)
    await network.rpc('dev_unfollowSlots', counter, ['0x0'])
    const third = await send(bob)
    await network.rpc('mock_wipeLocalState')
    expect(await changes()).toEqual([
      ['wipe', 41, null, null],
      ['transaction', 40, 41, third],
      ['unfollow', 40, null, null],
      ['follow', 41, null, null],
      ['transaction', 40, 41, second],
      ['resync', 41, null, null],
      ['transaction', 40, 41, first],
    ])
    expect((await historyOf()).items.map(({ isLiveAfter }) => isLiveAfter)).toEqual([
      true,
      false,
      true,
      true,
      false,
      true,
      false,
    ])
  })

  it('knows methods that write it', async () => {
    await network.rpc('dev_setStorageVariable', counter, { slot: '0x0', offset: 0, size: 32, value: '9' })
    const dump = await network.rpc<Hex>('anvil_dumpState')
    await network.rpc('dev_setStorageAt', counter, '0x0', word(10))
    await network.rpc('anvil_loadState', dump)
    expect((await changes()).slice(0, 3)).toEqual([
      ['loadState', 10, 9, null],
      ['setStorageAt', 9, 10, null],
      ['setStorageVariable', 40, 9, null],
    ])
    const token = await deployContract(network.client, artifacts.VyperLayoutToken, [1000n])
    await network.rpc('dev_setERC20Balance', bob, token, '5')
    const slot = keccak256(concat([word(3), pad(bob, { size: 32 })]))
    const { items } = await network.rpc<Page>('dev_getSlotHistory', token, slot)
    expect(items).toMatchObject([{ cause: 'setTokenBalance', before: word(0), isLiveBefore: false, after: word(5) }])
  })
})

describe('the history of a slot, where blocks are forgotten', () => {
  const minuteMs = 60_000

  it('begins with the oldest block that is kept', async () => {
    const clock = createFakeClock()
    network = await startNetwork({ keepBlocks: 256 }, { clock })
    try {
      counter = await deployContract(network.client, Counter, [1n])
      await send(alice)
      await network.rpc('anvil_mine', numberToHex(300))
      const last = await send(bob)
      const expected = [
        ['transaction', 2, 3, last],
        ['pruned', null, 2, null],
      ]
      expect(await changes()).toEqual(expected)
      const isWaiting = () =>
        eventually(
          async () => clock.pending(),
          (timers) => timers.includes(minuteMs),
        )
      for (let minute = 0; minute < 2; minute++) {
        await isWaiting()
        clock.advance(minuteMs)
      }
      await isWaiting()
      expect(await changes()).toEqual(expected)
      expect((await historyOf()).since).toBe((await head()) - 255)
    } finally {
      await network.stop()
    }
  })
})
