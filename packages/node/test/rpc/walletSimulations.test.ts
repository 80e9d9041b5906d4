import { artifacts, deployContract, testAccounts } from '@understudy/testkit'
import { encodeFunctionData, type Hex, maxUint256, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const [alice, bob] = [testAccounts[0], testAccounts[1]].map(({ address }) => address.toLowerCase()) as [Hex, Hex]
const { abi } = artifacts.SoladyToken
const supply = parseEther('1000')

let network: TestNetwork
let token: Hex
beforeAll(async () => {
  network = await startNetwork()
  token = (await deployContract(network.client, artifacts.SoladyToken, [supply])).toLowerCase() as Hex
})
afterAll(() => network.stop())

const transfer = (amount: bigint, from = alice) => ({
  from,
  to: token,
  data: encodeFunctionData({ abi, functionName: 'transfer', args: [bob, amount] }),
})
const approve = (amount: bigint) => ({
  from: alice,
  to: token,
  data: encodeFunctionData({ abi, functionName: 'approve', args: [bob, amount] }),
})

type Assets = { changes: object[]; gasUsed: Hex | null; error: { message: string } | null }
type Call = { type: string; to: Hex; decoded: { methodName: string } | null; calls?: Call[]; error?: string }
type Execution = { calls: Call[]; logs: object[]; error: string | null; revertReason: string | null }

const sola = { contractAddress: null, tokenId: null, logo: null }

describe("in the form of Alchemy's API", () => {
  it('lists the assets that move, and the approvals', async () => {
    const ether = await network.rpc<Assets>('alchemy_simulateAssetChanges', {
      from: alice,
      to: bob,
      value: '0xde0b6b3a7640000',
    })
    expect(ether).toEqual({
      changes: [
        {
          ...sola,
          assetType: 'NATIVE',
          changeType: 'TRANSFER',
          from: alice,
          to: bob,
          rawAmount: '1000000000000000000',
          amount: '1',
          decimals: 18,
          symbol: 'ETH',
          name: 'Ether',
        },
      ],
      gasUsed: '0x5208',
      error: null,
    })
    const ofToken = {
      ...sola,
      assetType: 'ERC20',
      from: alice,
      to: bob,
      contractAddress: token,
      decimals: 18,
      symbol: 'SOLA',
      name: 'Solady Token',
    }
    const bundle = await network.rpc<Assets[]>('alchemy_simulateAssetChangesBundle', [
      approve(maxUint256),
      transfer(parseEther('2.5')),
    ])
    expect(bundle.map(({ changes }) => changes)).toEqual([
      [
        {
          ...ofToken,
          changeType: 'APPROVE',
          rawAmount: maxUint256.toString(),
          amount: expect.stringMatching(/^1157920\d+\.\d+$/),
        },
      ],
      [{ ...ofToken, changeType: 'TRANSFER', rawAmount: '2500000000000000000', amount: '2.5' }],
    ])
  })

  it('runs a bundle in order, also after a failure', async () => {
    const calls = [transfer(1n, bob), transfer(supply), transfer(1n, bob)]
    const bundle = await network.rpc<Assets[]>('alchemy_simulateAssetChangesBundle', calls, 'latest')
    expect(bundle.map(({ error }) => error === null)).toEqual([false, true, true])
    expect(bundle[0]).toEqual({
      changes: [],
      gasUsed: null,
      error: { message: expect.stringMatching(/^execution reverted/) },
    })
  })

  it('lists calls and logs with what they mean, flat or nested, with and without a format', async () => {
    const calls = [transfer(7n), transfer(1n, bob)]
    const [first, second] = await network.rpc<Execution[]>('alchemy_simulateExecutionBundle', calls)
    expect(first).toMatchObject({
      calls: [
        {
          type: 'CALL',
          from: alice,
          to: token,
          value: '0x0',
          decoded: {
            authority: 'ETHERSCAN',
            methodName: 'transfer',
            inputs: [
              { type: 'address', value: bob },
              { type: 'uint256', value: '7' },
            ],
          },
        },
      ],
      logs: [
        {
          address: token,
          decoded: {
            authority: 'ETHERSCAN',
            eventName: 'Transfer',
            inputs: [
              { value: alice, indexed: true },
              { value: bob, indexed: true },
              { value: '7', indexed: false },
            ],
          },
        },
      ],
      error: null,
      revertReason: null,
    })
    expect(second).toMatchObject({ error: null })
    const failed = await network.rpc<Execution>('alchemy_simulateExecution', transfer(8n, bob), 'latest')
    expect(failed).toMatchObject({
      calls: [{ error: 'execution reverted' }],
      logs: [],
      error: expect.stringContaining('execution reverted'),
    })
  })

  it('nests the calls of a contract that calls another', async () => {
    const store = (await deployContract(network.client, artifacts.SeparateStorageToken, [supply])).toLowerCase()
    const call = { ...transfer(5n), to: store }
    const flat = await network.rpc<Execution>('alchemy_simulateExecution', 'FLAT', call, 'latest')
    const nested = await network.rpc<Execution>('alchemy_simulateExecution', 'NESTED', call)
    expect(flat.calls.length).toBeGreaterThan(3)
    expect(nested.calls).toHaveLength(1)
    const {
      calls: [top],
    } = nested
    const inOrder = (each: Call): Call[] => {
      const { calls = [], ...own } = each
      return [own, ...calls.flatMap(inOrder)]
    }
    expect(inOrder(top as Call)).toEqual(flat.calls)
  })

  it('names the parameter that is wrong', async () => {
    const refused = (...params: unknown[]) =>
      network.rpc('alchemy_simulateExecution', ...params).catch(({ details }) => details)
    expect(await refused({ from: alice, to: '0x12' })).toContain('params[0].to')
    expect(await refused('FLAT')).toContain('params[1] (transaction): is missing')
    expect(await refused('FLAT', 'latest')).toContain('params[1] (transaction): is missing')
    expect(await refused(transfer(1n), 'latest', 'latest')).toContain('params[2]: is one too many without a format')
    expect(await refused(transfer(1n), transfer(1n))).toContain('params[1] (block): expected a block')
  })
})

describe("viem's simulateCalls", () => {
  it('finds the balances that change', async () => {
    const { results, assetChanges } = await network.client.simulateCalls({
      account: alice,
      traceAssetChanges: true,
      calls: [
        { to: bob, value: parseEther('1.5') },
        { to: token, abi, functionName: 'transfer', args: [bob, 100n] },
      ] as never,
    })
    expect(results).toMatchObject([{ status: 'success' }, { status: 'success', result: true }])
    const diffs = assetChanges.map(({ token, value }) => ({
      symbol: token.symbol,
      decimals: token.decimals,
      diff: value.diff,
    }))
    expect(diffs).toEqual([
      { symbol: 'ETH', decimals: 18, diff: -parseEther('1.5') },
      { symbol: 'SOLA', decimals: 18, diff: -100n },
    ])
  })
})
