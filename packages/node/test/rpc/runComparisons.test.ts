import type { Result } from '@understudy/client/methods'
import { type Anvil, artifacts, connectClient, deployContract, startAnvil, testAccounts } from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex, numberToHex, pad } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Comparison = Result<'dev_compareTransactions'>

const { Counter } = artifacts
const word = (value: number | bigint) => pad(numberToHex(value), { size: 32 })
const [alice, bob] = testAccounts.map(({ address }) => address) as [Address, Address]
const dataOf = (functionName: 'increment' | 'number') => encodeFunctionData({ abi: Counter.abi, functionName })

let anvil: Anvil
let network: TestNetwork
let counter: Address
const compare = (a: unknown, b: unknown) => network.rpc<Comparison>('dev_compareTransactions', a, b)
const send = (more: object = {}) =>
  network.rpc<Hex>('eth_sendTransaction', {
    from: alice,
    to: counter,
    data: dataOf('increment'),
    gas: '0x30000',
    ...more,
  })

beforeAll(async () => {
  anvil = await startAnvil()
  counter = await deployContract(await connectClient(anvil.url), Counter, [40n])
})
afterAll(() => anvil.stop())
beforeEach(async () => {
  network = await startNetwork({ forkUrls: [anvil.url] })
})
afterEach(() => network.stop())

it('compares a call at two blocks', async () => {
  const call = { to: counter, data: dataOf('number') }
  const before = await network.rpc<Hex>('eth_blockNumber')
  await send()
  const { a, b, read, firstDifference } = await compare({ call, block: before }, { call })
  expect([a.output, b.output, firstDifference]).toEqual([word(40), word(41), null])
  expect(read).toMatchObject({
    operation: 'SLOAD',
    account: counter.toLowerCase(),
    key: word(0),
    a: word(40),
    b: word(41),
  })
})

it('compares a transaction and a call here with the same on the live chain', async () => {
  const [, hash] = [await send(), await send({ from: bob, value: '0x0' })]
  const { a, b, read, slots } = await compare(hash, { transaction: hash, live: true })
  expect([a.status, b.status, read?.operation, read?.a, read?.b]).toEqual([
    'success',
    'success',
    'SLOAD',
    word(41),
    word(40),
  ])
  expect(slots).toEqual([{ address: counter.toLowerCase(), slot: word(0), a: word(42), b: word(41) }])
  const call = { to: counter, data: dataOf('number') }
  const called = await compare({ call }, { call, live: true })
  expect([called.a.output, called.b.output]).toEqual([word(42), word(40)])
  // One that is new here pays there with what it has here.
  const poor: Address = `0x${'9a'.repeat(20)}`
  await network.rpc('dev_setBalance', poor, '1000000000000000000')
  await network.rpc('dev_impersonateAccount', poor)
  const paid = await send({ from: poor })
  expect((await compare(paid, { transaction: paid, live: true })).b.status).toBe('success')
})

it('compares with and without function overrides', async () => {
  await network.rpc('dev_addFunctionOverride', {
    contractAddress: counter,
    functionAbi: 'function number() view returns (uint256)',
    returnValues: ['7'],
  })
  const call = { to: counter, data: dataOf('number') }
  const { a, b } = await compare({ call }, { call, functionOverrides: false })
  expect([a.output, b.output]).toEqual([word(7), word(40)])
  const hash = await send({ data: dataOf('number') })
  const plain = await compare(hash, { transaction: hash, functionOverrides: false })
  expect([plain.a.output, plain.b.output]).toEqual([word(7), word(40)])
})

/** Reads a slot, pushes and pops until less than 100 000 gas is left, and reads another slot. */
const loop: Hex = `0x5f5450${'5b'}${'5f50'.repeat(10_000)}${'5a620186a010600357'}${'600154614e3557005b00'}`

it('finds where runs of thirty million gas part, within the time of a request', async () => {
  const to: Address = `0x${'10'.repeat(20)}`
  await network.rpc('dev_setCode', to, loop)
  const call = { to, gas: numberToHex(30_000_000) }
  const stateDiff = { [word(1)]: word(1) }
  const { a, firstDifference, read } = await compare({ call }, { call, stateOverrides: { [to]: { stateDiff } } })
  expect([a.gasUsed > 29_000_000, (firstDifference?.index ?? 0) > 14_000_000]).toEqual([true, true])
  expect(read).toMatchObject({ operation: 'SLOAD', key: word(1), a: word(0), b: word(1) })
  expect(firstDifference?.before?.operation).toBe('JUMPI')
  expect([firstDifference?.a?.operation, firstDifference?.b?.operation]).toEqual(['STOP', 'JUMPDEST'])
})
