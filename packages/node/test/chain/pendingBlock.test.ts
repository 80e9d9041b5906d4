import { type Anvil, artifacts, connectClient, deployContract, startAnvil, testAccounts } from '@understudy/testkit'
import { JsonRpcProvider } from 'ethers'
import { type Address, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

type Json = Record<string, unknown>

const [alice, bob, carol] = testAccounts.map(({ address }) => address.toLowerCase()) as [Address, Address, Address]
const stranger = '0x00000000000000000000000000000000000000aa'
const { abi } = artifacts.Counter
const increment = encodeFunctionData({ abi, functionName: 'increment' })
const number = encodeFunctionData({ abi, functionName: 'number' })
/** Hashes 32 KiB until 200 000 gas are left: a quarter of a second with six million gas. */
const hashing = '0x5b6180005f205062030d405a115f57'

let anvil: Anvil
let network: TestNetwork
let counter: Address
beforeAll(async () => {
  anvil = await startAnvil()
  counter = (await deployContract(await connectClient(anvil.url), artifacts.Counter, [7n])).toLowerCase() as Address
  network = await startNetwork({ forkUrls: [anvil.url], mine: 'manual' })
})
afterAll(async () => {
  await network?.stop()
  await anvil?.stop()
})
beforeEach(() => rpc('anvil_mine'))

const rpc = <T = Json>(method: string, ...params: unknown[]) => network.rpc<T>(method, ...params)
const send = (transaction: object) => rpc<Hex>('eth_sendTransaction', transaction)
const pending = () => rpc<Json & { transactions: Json[] }>('eth_getBlockByNumber', 'pending', true)
const count = () => rpc<Hex>('eth_getBlockTransactionCountByNumber', 'pending')
const nextTimestamp = async () => {
  const { timestamp } = await rpc<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
  await rpc('evm_setNextBlockTimestamp', Number(timestamp) + 1000)
}

describe('the pending block', () => {
  it('is the block that would be sealed now, and its state', async () => {
    await nextTimestamp()
    const incremented = await send({ from: alice, to: counter, data: increment })
    const sent = await send({ from: bob, to: stranger, value: '0x7' })
    const before = await rpc<Json>('eth_getBlockByNumber', 'latest', false)

    const block = await pending()
    expect(block.parentHash).toBe(before.hash)
    expect(block.transactions).toMatchObject([{ hash: incremented }, { hash: sent }])
    expect(await count()).toBe('0x2')
    expect(await rpc('eth_getTransactionByBlockNumberAndIndex', 'pending', '0x1')).toMatchObject({ hash: sent })
    expect(await rpc('eth_getHeaderByNumber', 'pending')).toMatchObject({ hash: null, nonce: null })
    const receipts = await rpc<Json[]>('eth_getBlockReceipts', 'pending')
    expect(receipts).toMatchObject([{ transactionHash: incremented, status: '0x1' }, { transactionHash: sent }])

    const reads: [string, ...unknown[]][] = [
      ['eth_getBalance', stranger],
      ['eth_getBalance', alice],
      ['eth_getTransactionCount', bob],
      ['eth_getStorageAt', counter, '0x0'],
      ['eth_call', { to: counter, data: number }],
      ['eth_call', { data: '0x435f5260205ff3' }],
      ['eth_call', { data: '0x425f5260205ff3' }],
      ['eth_getCode', counter],
    ]
    const readAll = (tag: string) => Promise.all(reads.map(([method, ...params]) => rpc(method, ...params, tag)))
    const [latest, expected] = [await readAll('latest'), await readAll('pending')]
    expect(expected.slice(0, 7)).not.toEqual(latest.slice(0, 7))
    expect(await rpc('eth_blockNumber')).toBe(before.number)

    await rpc('evm_mine')
    const sealed = await rpc<Json & { transactions: Json[] }>('eth_getBlockByNumber', 'latest', true)
    // It is in no chain yet: as in geth, it has no hash and no nonce.
    const withoutHash = sealed.transactions.map((each) => ({ ...each, blockHash: null }))
    expect(block).toEqual({ ...sealed, hash: null, nonce: null, transactions: withoutHash })
    expect(await readAll('latest')).toEqual(expected)
    expect(await rpc('eth_getBlockReceipts', 'latest')).toEqual(receipts)
  })

  it('is read by viem and by ethers', async () => {
    const hash = await send({ from: bob, to: stranger, value: '0x7' })
    const { number } = await network.client.getBlock()
    const block = await network.client.getBlock({ blockTag: 'pending', includeTransactions: true })
    expect(block).toMatchObject({
      hash: null,
      nonce: null,
      number: number + 1n,
      transactions: [{ hash, blockHash: null }],
    })
    const provider = new JsonRpcProvider(network.url)
    const read = await provider.getBlock('pending', true)
    expect([read?.hash, read?.number, read?.prefetchedTransactions.map((each) => each.hash)]).toEqual([
      null,
      Number(number) + 1,
      [hash],
    ])
    provider.destroy()
  })

  it('is the newest of a fee history that ends with it', async () => {
    type Fees = { oldestBlock: Hex; baseFeePerGas: Hex[]; gasUsedRatio: number[]; reward?: Hex[][] }
    const feesOf = (count: string, newest: string, ...percentiles: unknown[]) =>
      rpc<Fees>('eth_feeHistory', count, newest, ...percentiles)
    await rpc('anvil_mine')
    await nextTimestamp()
    await send({ from: bob, to: stranger, value: '0x7', maxPriorityFeePerGas: '0x77', maxFeePerGas: '0x2540be400' })
    const { number: head } = await rpc<{ number: Hex }>('eth_getBlockByNumber', 'latest', false)
    const before = await feesOf('0x2', 'pending', [50])
    expect(before).toMatchObject({
      oldestBlock: head,
      gasUsedRatio: [0, 21_000 / 30_000_000],
      reward: [['0x0'], ['0x77']],
    })
    expect(before.baseFeePerGas).toHaveLength(3)
    expect(await feesOf('0x1', 'pending', [50])).toMatchObject({
      oldestBlock: `0x${(BigInt(head) + 1n).toString(16)}`,
      reward: [['0x77']],
    })
    expect((await feesOf('0x400', 'pending')).gasUsedRatio).toHaveLength(Number(head) + 2)
    for (const percentiles of [[], [[]], [null]]) {
      const fees = await feesOf('0x2', 'pending', ...percentiles)
      expect(fees).not.toHaveProperty('reward')
      expect(fees.baseFeePerGas).toEqual(before.baseFeePerGas)
    }
    await rpc('evm_mine')
    expect(await feesOf('0x2', 'latest', [50])).toEqual(before)
  })

  it('follows the pool, the state and the time', async () => {
    expect(await count()).toBe('0x0')
    const hash = await send({ from: alice, to: counter, data: increment })
    expect(await count()).toBe('0x1')
    const { timestamp } = await rpc<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
    expect(Number((await pending()).timestamp)).toBeGreaterThan(Number(timestamp))
    await rpc('evm_increaseTime', 5000)
    expect(Number((await pending()).timestamp) - Number(timestamp)).toBeGreaterThanOrEqual(5000)
    await rpc('anvil_setStorageAt', counter, '0x0', numberToHex(100, { size: 32 }))
    expect(Number(await rpc<Hex>('eth_call', { to: counter, data: number }, 'pending'))).toBe(101)
    await rpc('anvil_dropTransaction', hash)
    expect(await count()).toBe('0x0')
    expect(Number(await rpc<Hex>('eth_call', { to: counter, data: number }, 'pending'))).toBe(100)
  })

  it('leaves out what cannot be in a block yet, and keeps it in the pool', async () => {
    const nonce = Number(await rpc<Hex>('eth_getTransactionCount', carol, 'latest'))
    const late = await send({ from: carol, to: stranger, gas: '0x5208', nonce: numberToHex(nonce + 1) })
    expect(await count()).toBe('0x0')
    const first = await send({ from: carol, to: stranger, gas: '0x5208', nonce: numberToHex(nonce) })
    expect((await pending()).transactions.map(({ hash }) => hash)).toEqual([first, late])
  })

  it('has what its sender can pay only after another transaction', async () => {
    const ether = 10n ** 18n
    await rpc('dev_setBalance', bob, ether.toString())
    const value = numberToHex((ether * 9n) / 10n)
    const pay = (from: Address, to: Address, tip: number, more: object) =>
      send({ from, to, value, gas: '0x5208', maxPriorityFeePerGas: numberToHex(tip), ...more })
    const nonce = Number(await rpc<Hex>('eth_getTransactionCount', bob, 'latest'))
    const first = await pay(bob, stranger, 3_000_000, { nonce: numberToHex(nonce) })
    const unpaid = await pay(bob, stranger, 2_000_000, { nonce: numberToHex(nonce + 1) })
    const funding = await pay(carol, bob, 1_000_000, {})
    expect((await pending()).transactions.map(({ hash }) => hash)).toEqual([first, funding, unpaid])
    await rpc('evm_mine')
    const { transactions } = await rpc<{ transactions: Hex[] }>('eth_getBlockByNumber', 'latest', false)
    expect(transactions).toEqual([first, funding, unpaid])
  })

  it('is what a transaction without gas is estimated on when it needs those that wait', async () => {
    // Sets slot 0 if there is input; otherwise reverts while it is empty.
    const gate = '0x00000000000000000000000000000000000000bb'
    await rpc('dev_setCode', gate, '0x36600f575f54600d575f5ffd005b005b60015f5500')
    await expect(send({ from: alice, to: gate })).rejects.toThrow('revert')
    await send({ from: alice, to: gate, data: '0x01' })
    await send({ from: bob, to: gate })
    const receipts = await rpc<Json[]>('eth_getBlockReceipts', 'pending')
    expect(receipts).toMatchObject([{ status: '0x1' }, { status: '0x1' }])
  })

  it('has the number and time of the next block, and no transactions, when they are sealed at once', async () => {
    await rpc('dev_setMiningMode', 'instant')
    const latest = await rpc<{ number: Hex; hash: Hex }>('eth_getBlockByNumber', 'latest', false)
    expect(await pending()).toMatchObject({
      number: numberToHex(BigInt(latest.number) + 1n),
      parentHash: latest.hash,
      transactions: [],
    })
    await rpc('dev_setMiningMode', 'manual')
  })

  it('is on the base that the next block moves to', async () => {
    // Where live blocks share a time, so may those of the network.
    const mineLive = async () => {
      await anvil.rpc('evm_increaseTime', [10])
      await anvil.rpc('evm_mine')
    }
    await anvil.rpc('anvil_setBalance', [stranger, '0x1234'])
    await mineLive()
    await send({ from: alice, to: carol, value: '0x1' })
    const cold = '0x00000000000000000000000000000000000000cc'
    await anvil.rpc('anvil_setBalance', [cold, '0x99'])
    await mineLive()
    await eventually(
      () => rpc('eth_getBalance', cold, 'pending'),
      (balance) => String(balance) === '0x99',
    )
    expect(await rpc('eth_getBalance', cold, 'latest')).toBe('0x0')
    expect(await count()).toBe('0x1')
  })

  it('is built in turns with the requests of others', async () => {
    const heavy = '0x00000000000000000000000000000000000000dd'
    await rpc('dev_setCode', heavy, hashing)
    for (const from of [alice, bob]) await send({ from, to: heavy, gas: numberToHex(6_000_000) })
    let isBuilt = false
    const built = count().finally(() => {
      isBuilt = true
    })
    let answered = 0
    for (; !isBuilt && answered < 5; answered++) await rpc('eth_call', { to: counter, data: number }, 'latest')
    expect([answered, isBuilt]).toEqual([5, false])
    expect(await built).toBe('0x2')
  })
})
