import { understudyActions } from '@understudy/client'
import { type Anvil, artifacts, connectClient, deployContract, startAnvil, testAccounts } from '@understudy/testkit'
import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  numberToHex,
  pad,
  parseEther,
  toEventSelector,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localContract } from '../localContracts.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { inShape } from './rpcSchemas.ts'

const [alice, bob, carol] = testAccounts.map(({ address }) => address.toLowerCase()) as [Address, Address, Address]
const poor: Address = `0x${'5e'.repeat(20)}`
const supply = 1_000_000n

type Simulation = {
  status: boolean
  gasUsed: Hex
  cumulativeGasUsed: Hex
  blockNumber: Hex
  logs: { name: string; inputs: unknown[] | null }[]
  trace: Record<string, unknown>[]
  assetChanges?: Record<string, unknown>[]
  balanceChanges?: Record<string, unknown>[]
  stateChanges?: { address: Address; storage?: Record<string, unknown>[] }[]
  exposureChanges?: Record<string, unknown>[]
  error?: string
  errorMessage?: string
  errorInfo?: Record<string, unknown>
}

let upstream: Anvil
let network: TestNetwork
let token: Address
let collectible: Address
let counter: Address
let reverter: Address
/** The transaction of the live chain that made the counter. */
let deployed: Hex
beforeAll(async () => {
  upstream = await startAnvil()
  const live = await connectClient(upstream.url)
  token = await deployContract(live, artifacts.PlainToken, ['Plain', 'PLN', supply])
  collectible = await deployContract(live, artifacts.Collectible)
  reverter = await deployContract(live, artifacts.Reverter)
  counter = await deployContract(live, artifacts.Counter, [7n])
  deployed = (await live.getBlock()).transactions[0] as Hex
  network = await startNetwork({ forkUrls: [upstream.url] })
  const contracts = [
    localContract('PlainToken', artifacts.PlainToken),
    localContract('Counter', artifacts.Counter),
    localContract('Reverter', artifacts.Reverter),
  ]
  await network.rpc('dev_importContracts', { contracts })
})
afterAll(async () => {
  await network?.stop()
  await upstream?.stop()
})

const ask = async <Answer>(method: string, ...params: unknown[]) =>
  inShape(method, await network.rpc<Answer>(method, ...params))
const simulate = (...params: unknown[]) => ask<Simulation>('tenderly_simulateTransaction', ...params)
const simulateAll = (...params: unknown[]) => ask<Simulation[]>('tenderly_simulateBundle', ...params)

const transfer = (from: Address, to: Address, amount: bigint) => ({
  from,
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
})
const increment = () => ({
  from: alice,
  to: counter,
  data: encodeFunctionData({ abi: artifacts.Counter.abi, functionName: 'increment' }),
})
const refuse = () => ({
  from: bob,
  to: reverter,
  data: encodeFunctionData({ abi: artifacts.Reverter.abi, functionName: 'withCustomError', args: [5n] }),
})

describe('a simulation', () => {
  it('says of a token transfer what moved, what changed and what ran', async () => {
    const head = await network.client.getBlockNumber({ cacheTime: 0 })
    const amount = 2n * 10n ** 18n
    await network.rpc('tenderly_setErc20Balance', token, alice, numberToHex(amount))
    const found = await simulate(transfer(alice, bob, amount), 'latest')
    expect(found).toMatchObject({
      status: true,
      cumulativeGasUsed: found.gasUsed,
      blockNumber: numberToHex(head),
      logs: [
        {
          name: 'Transfer',
          anonymous: false,
          inputs: [
            { value: alice, type: 'address', name: 'from', indexed: true },
            { value: bob, type: 'address', name: 'to', indexed: true },
            { value: amount.toString(), type: 'uint256', name: 'value', indexed: false },
          ],
          raw: { address: token, topics: [toEventSelector('Transfer(address,address,uint256)'), pad(alice), pad(bob)] },
        },
      ],
      trace: [
        {
          type: 'CALL',
          from: alice,
          to: token,
          value: '0x0',
          method: 'transfer',
          decodedInput: [
            { value: bob, type: 'address', name: 'to' },
            { value: amount.toString(), type: 'uint256', name: 'value' },
          ],
          output: pad('0x1'),
          decodedOutput: [{ value: true, type: 'bool', name: 'arg0' }],
          subtraces: 0,
          traceAddress: [],
          contractName: 'PlainToken',
        },
      ],
      assetChanges: [
        {
          assetInfo: {
            standard: 'ERC20',
            type: 'Fungible',
            contractAddress: token,
            symbol: 'PLN',
            name: 'Plain',
            decimals: 18,
          },
          type: 'Transfer',
          from: alice,
          to: bob,
          rawAmount: numberToHex(amount),
          amount: '2',
        },
      ],
      balanceChanges: [
        { address: alice, dollarValue: '0', transfers: [0] },
        { address: bob, dollarValue: '0', transfers: [0] },
      ],
    })
    expect(found).not.toHaveProperty('exposureChanges')
    expect(found).not.toHaveProperty('error')
    const { storage = [] } = found.stateChanges?.find(({ address }) => address === token) ?? {}
    const ofAlice = storage.find(({ key }) => String(key).toLowerCase() === alice)
    expect(ofAlice).toMatchObject({
      variable: '_balances',
      decodedPrevious: amount.toString(),
      decodedNew: '0',
      previousValue: pad(numberToHex(amount)),
      newValue: pad('0x0'),
    })
  })

  it('has ether without a contract, mints without a sender, and ids of collectibles', async () => {
    const mint = encodeFunctionData({ abi: artifacts.Collectible.abi, functionName: 'mint', args: [bob] })
    const [paid, minted] = await simulateAll(
      [
        { from: alice, to: bob, value: numberToHex(parseEther('1.5')) },
        { from: alice, to: collectible, data: mint },
      ],
      'latest',
    )
    expect(paid?.assetChanges).toEqual([
      {
        assetInfo: { standard: 'NativeCurrency', type: 'Native', symbol: 'ETH', name: 'Ether', decimals: 18 },
        type: 'Transfer',
        from: alice,
        to: bob,
        rawAmount: numberToHex(parseEther('1.5')),
        amount: '1.5',
      },
    ])
    const [change] = minted?.assetChanges ?? []
    expect(change).toMatchObject({
      assetInfo: { standard: 'ERC721', type: 'NonFungible', contractAddress: collectible },
      type: 'Mint',
      to: bob,
      rawAmount: '0x1',
    })
    expect(change).toHaveProperty('tokenId')
    expect(change).not.toHaveProperty('from')
  })

  it('is an action of the client', async () => {
    const { tenderly } = understudyActions(network.client)
    const { status, assetChanges } = await tenderly.simulateTransaction({ call: { from: alice, to: bob, value: 7n } })
    expect([status, assetChanges?.[0]?.rawAmount]).toEqual([true, '0x7'])
    const { decodedArguments } = await tenderly.decodeInput({ input: transfer(alice, bob, 9n).data })
    expect(decodedArguments.map(({ value }) => value)).toEqual([bob, '9'])
  })

  it('shows an approval that is left behind', async () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [bob, 2n ** 256n - 1n] })
    const { exposureChanges } = await simulate({ from: alice, to: token, data })
    expect(exposureChanges).toMatchObject([
      {
        type: 'Approve',
        owner: alice,
        spender: bob,
        rawAmount: numberToHex(2n ** 256n - 1n),
        by: 'call',
        isUnlimited: true,
      },
    ])
  })

  it('of a creation has its code', async () => {
    const data = encodeDeployData({ abi: artifacts.Counter.abi, bytecode: artifacts.Counter.bytecode, args: [3n] })
    const { trace, stateChanges = [] } = await simulate({ from: alice, data })
    expect(trace[0]).toMatchObject({ type: 'CREATE', from: alice, value: '0x0' })
    const created = stateChanges.find(({ address }) => address === trace[0]?.to)
    expect(created).toMatchObject({ code: { previousValue: '0x' } })
  })

  it('of a call that fails is a result', async () => {
    const found = await simulate(refuse())
    expect(found).toMatchObject({
      status: false,
      logs: [],
      error: 'execution reverted',
      errorMessage: expect.stringMatching(/^Refused\(0x/),
      errorInfo: {
        address: reverter,
        error: { name: 'Refused', inputs: [{ value: bob, name: 'caller' }, { value: '5' }, { value: 'as asked' }] },
      },
      trace: [
        { error: 'execution reverted', errorReason: expect.stringMatching(/^Refused\(/), method: 'withCustomError' },
      ],
    })
    expect(found).not.toHaveProperty('assetChanges')
  })

  it('needs no ether of a sender that offers no price', async () => {
    expect(await simulate({ from: poor, to: counter, data: increment().data })).toMatchObject({ status: true })
    await expect(network.rpc('tenderly_simulateTransaction', { from: poor, to: bob, value: '0x1' })).rejects.toThrow(
      'insufficient funds',
    )
  })
})

describe('what clients send', () => {
  it('may have numbers as JSON numbers, a gas limit of 0, and fields that no one knows', async () => {
    const { data } = increment()
    const found = await simulate(
      { from: alice, to: counter, input: data, data, gas: '0x0', value: 0, maxFeePerGas: 0, simulationType: 'full' },
      'latest',
      { [bob]: { balance: '0x1', note: 'mine' } },
      { anything: 1 },
    )
    expect(found.status).toBe(true)
    expect(await simulate({ from: alice, to: bob, gas: 21_000, value: 7 })).toMatchObject({
      assetChanges: [{ rawAmount: '0x7' }],
      trace: [{ gas: '0x0' }],
    })
  })

  it('is refused where data and input differ, or a field is wrong', async () => {
    const refused = (call: unknown, ...others: unknown[]) =>
      expect(network.rpc('tenderly_simulateTransaction', call, ...others)).rejects
    await refused({ to: counter, data: '0xab', input: '0xac' }).toThrow('params[0].input: differs from data')
    await refused({ to: '0x12' }).toThrow('params[0].to')
    await refused('0x').toThrow('params[0] (call): expected an object')
    await refused(increment(), 'newest').toThrow('params[1] (block)')
    await refused(increment(), 'latest', { [bob]: { balance: 'many' } }).toThrow(`params[2].${bob}.balance`)
    await refused(increment(), 'latest', {}, { timestamp: 1, time: 2 }).toThrow(
      'params[3].time: differs from timestamp',
    )
    const calls = Array.from({ length: 1001 }, increment)
    await expect(network.rpc('tenderly_simulateBundle', calls)).rejects.toThrow(
      'params[0] (calls): has more than 1000 calls',
    )
    await expect(network.rpc('tenderly_simulateBundle', [])).rejects.toThrow('is empty')
  })

  it('overrides the state, and the block with its time by either name', async () => {
    const abi = artifacts.Ledger.abi
    const at = `0x${'7e'.repeat(20)}`
    const code = artifacts.Ledger.deployedBytecode
    const call = { to: at, data: encodeFunctionData({ abi, functionName: 'age' }) }
    for (const time of ['timestamp', 'time']) {
      const { trace, blockNumber } = await simulate(
        call,
        'latest',
        { [at]: { code } },
        { number: '0x1234', [time]: numberToHex(5_000_000_000) },
      )
      expect(trace[0]?.output).toBe(`${pad('0x1234')}${pad(numberToHex(5_000_000_000)).slice(2)}`)
      expect(blockNumber).toBe('0x1234')
    }
    const moved = await simulate(transfer(carol, bob, 1n), 'latest', { [token]: { code: '0x' } })
    expect(moved).toMatchObject({ status: true, logs: [], trace: [{ output: '0x' }] })
    const { stateChanges } = await simulate(increment(), 'latest', {
      [counter]: { stateDiff: { [pad('0x0')]: pad('0x20') } },
    })
    expect(stateChanges?.find(({ address }) => address === counter)?.storage).toMatchObject([
      { previousValue: pad('0x20'), newValue: pad('0x21') },
    ])
  })
})

describe('a bundle', () => {
  it('runs as one sequence, also after a call that fails', async () => {
    const found = await simulateAll([increment(), refuse(), increment()], 'latest')
    expect(found.map(({ status }) => status)).toEqual([true, false, true])
    const values = found.map(({ stateChanges = [] }) =>
      stateChanges.flatMap(({ address, storage = [] }) =>
        address === counter ? storage.map((slot) => slot.newValue) : [],
      ),
    )
    const before = BigInt((await network.client.getStorageAt({ address: counter, slot: '0x0' })) ?? 0)
    expect(values).toEqual([[pad(numberToHex(before + 1n))], [], [pad(numberToHex(before + 2n))]])
    const gas = found.map(({ gasUsed }) => BigInt(gasUsed))
    expect(found.map(({ cumulativeGasUsed }) => BigInt(cumulativeGasUsed))).toEqual(
      gas.map((_, index) => gas.slice(0, index + 1).reduce((sum, each) => sum + each, 0n)),
    )
    expect(BigInt((await network.client.getStorageAt({ address: counter, slot: '0x0' })) ?? 0)).toBe(before)
  })

  it('runs at any block', async () => {
    const early = await simulate(increment(), '0x1')
    // The counter is not there yet.
    expect(early).toMatchObject({ status: true, blockNumber: '0x1', trace: [{ output: '0x' }] })
    expect(early.stateChanges?.some(({ address }) => address === counter)).not.toBe(true)
    await expect(network.rpc('tenderly_simulateTransaction', increment(), '0xffffff')).rejects.toThrow('not found')
  })
})

describe('a sealed transaction', () => {
  it('is traced, on this network and on the live chain', async () => {
    const hash = await network.client.writeContract({
      address: counter,
      abi: artifacts.Counter.abi,
      functionName: 'increment',
    })
    const { gasUsed, cumulativeGasUsed, blockNumber } = await network.client.getTransactionReceipt({ hash })
    expect(await ask('tenderly_traceTransaction', hash)).toMatchObject({
      status: true,
      gasUsed: numberToHex(gasUsed),
      cumulativeGasUsed: numberToHex(cumulativeGasUsed),
      blockNumber: numberToHex(blockNumber),
      type: '0x2',
      trace: [{ method: 'increment', to: counter }],
    })
    expect(await ask('tenderly_traceTransaction', deployed)).toMatchObject({
      status: true,
      trace: [{ type: 'CREATE', to: counter }],
    })
    await expect(network.rpc('tenderly_traceTransaction', pad('0x1'))).rejects.toThrow('transaction not found')
  })
})

describe('gas', () => {
  it('is estimated with what is used, and the limit suffices', async () => {
    const { gas, gasUsed } = await ask<{ gas: Hex; gasUsed: Hex }>('tenderly_estimateGas', increment(), 'latest')
    expect(BigInt(gas)).toBe(await network.client.estimateGas({ account: alice, to: counter, data: increment().data }))
    expect(BigInt(gasUsed)).toBeLessThanOrEqual(BigInt(gas))
    expect(await simulate({ ...increment(), gas })).toMatchObject({ status: true })
    expect(await simulate({ ...increment(), gas: numberToHex(BigInt(gas) - 1n) })).toMatchObject({ status: false })
  })

  it('of a bundle is estimated on the results of the calls before', async () => {
    await network.rpc('tenderly_setErc20Balance', token, poor, '0x0')
    const calls = [transfer(alice, poor, 1n), transfer(poor, bob, 1n)]
    await network.rpc('tenderly_addErc20Balance', token, alice, '0x1')
    expect(await ask('tenderly_estimateGasBundle', calls, 'latest')).toHaveLength(2)
    await expect(network.rpc('tenderly_estimateGas', calls[1])).rejects.toMatchObject({ code: 3 })
    const data = encodeFunctionData({ abi: artifacts.Reverter.abi, functionName: 'withReason', args: ['not now'] })
    await expect(network.rpc('tenderly_estimateGasBundle', [increment(), { to: reverter, data }])).rejects.toThrow(
      'call 1: execution reverted: not now',
    )
  })
})
