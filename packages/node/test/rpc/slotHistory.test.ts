import { artifacts, deployContract, testAccounts } from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex, numberToHex, pad } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Write = {
  block: number
  transaction: Hex | null
  before: Hex | null
  after: Hex | null
  place: { file: string; line: number; function: string } | null
}
type Page = { items: Write[]; next: string | null }

const { Counter } = artifacts
const word = (value: number) => pad(numberToHex(value), { size: 32 })
const increment = encodeFunctionData({ abi: Counter.abi, functionName: 'increment' })

let network: TestNetwork
let counter: Address
const historyOf = (options?: object) =>
  network.rpc<Page>('dev_getSlotHistory', counter, '0x0', ...(options ? [options] : []))
const send = (from: Address, more: object = {}) =>
  network.rpc<Hex>('eth_sendTransaction', { from, to: counter, data: increment, gas: '0x30000', ...more })
const blockOf = async (hash: Hex) => Number((await network.client.getTransactionReceipt({ hash })).blockNumber)

beforeAll(async () => {
  network = await startNetwork({})
  const { abi, deployedBytecode } = Counter
  const lines = { files: ['src/Counter.sol'], functions: ['Counter.increment'], runtime: `0:12:0:-${';'.repeat(2000)}` }
  await network.rpc('dev_importContracts', {
    contracts: [{ name: 'Counter', abi: JSON.stringify(abi), bytecode: deployedBytecode, deployedBytecode, lines }],
  })
  counter = await deployContract(network.client, Counter, [7n])
})
afterAll(() => network.stop())

it('lists who changed a slot, newest first, in pages', async () => {
  const [first, second] = testAccounts.map(({ address }) => address) as [Address, Address]
  const added = await send(first)
  await network.rpc('dev_setStorageAt', counter, '0x0', word(20))
  const at = Number(await network.rpc<Hex>('eth_blockNumber'))
  await network.rpc('evm_setAutomine', false)
  // The last one fails: it calls the contract too, but changes nothing.
  const [one, two, failed] = [
    await send(first),
    await send(second),
    await send(testAccounts[2].address, { data: '0x12345678' }),
  ]
  await network.rpc('evm_mine')
  await network.rpc('evm_setAutomine', true)
  expect((await network.client.getTransactionReceipt({ hash: failed })).status).toBe('reverted')

  const { items, next } = await historyOf({ lines: true })
  expect(next).toBeNull()
  const place = expect.objectContaining({ file: 'src/Counter.sol', line: 12, function: 'Counter.increment' })
  expect(items.slice(0, 3)).toEqual([
    { block: await blockOf(one), transaction: two, before: word(20), after: word(22), place },
    { block: at, transaction: null, before: word(8), after: word(20), place: null },
    { block: await blockOf(added), transaction: added, before: word(7), after: word(8), place },
  ])
  expect(items[3]).toMatchObject({ before: null, after: word(7) })
  expect(items).toHaveLength(4)

  const paged: Write[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page = await historyOf({ limit: 1, ...(cursor && { cursor }) })
    expect(page.items.length).toBeLessThanOrEqual(1)
    paged.push(...page.items)
    cursor = page.next
  }
  expect(paged).toEqual(items.map((item) => ({ ...item, place: null })))
  await expect(historyOf({ cursor: 'x' })).rejects.toThrow(/cursor/)
})

it('notes the last writer beside each value, unless several called the contract in its block', async () => {
  const [{ id } = { id: '' }] = await network.rpc<{ id: string }[]>('dev_getWorkspaces')
  const writer = async () => {
    const { entries } = await network.rpc<{ entries: { lastWriter: Hex | null }[] }>('dev_getWorkspaceStorage', id)
    return entries.map(({ lastWriter }) => lastWriter)
  }
  expect(await writer()).toEqual([null])
  const hash = await send(testAccounts[0].address)
  expect(await writer()).toEqual([hash])
  await network.rpc('dev_setStorageAt', counter, '0x0', word(3))
  expect(await writer()).toEqual([null])
})

it('forgets what was reverted, and has nothing of a slot that only the live chain wrote', async () => {
  const { items } = await historyOf()
  const snapshot = await network.rpc('evm_snapshot')
  await send(testAccounts[0].address)
  expect((await historyOf()).items).toHaveLength(items.length + 1)
  await network.rpc('evm_revert', snapshot)
  expect(await historyOf()).toEqual({ items, next: null })
  expect(await network.rpc('dev_getSlotHistory', counter, '0x9')).toEqual({ items: [], next: null })
})
