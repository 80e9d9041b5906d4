import { type Address, encodeFunctionData, erc20Abi, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as artifacts from '../generated/index.js'
import { testAccounts } from './accounts.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { connectClient, deployContract, requireSuccess, type TestClient } from './client.ts'
import { deployUniswapV2 } from './uniswap/uniswapV2.ts'
import { deployUniswapV3 } from './uniswap/uniswapV3.ts'

let anvil: Anvil
let client: TestClient
const owner = testAccounts[0].address
const other = testAccounts[1].address

beforeAll(async () => {
  anvil = await startAnvil()
  client = await connectClient(anvil.url)
})
afterAll(() => anvil.stop())

test('the test accounts are the funded ones', async () => {
  const accounts = await anvil.rpc<string[]>('eth_accounts')
  expect(accounts.slice(0, 5)).toEqual(testAccounts.map(({ address }) => address.toLowerCase()))
})

describe('the ERC-20 fixtures hold and move balances', () => {
  const supply = parseEther('1000')
  const fixtures: Record<string, () => Promise<Address>> = {
    PlainToken: () => deployContract(client, artifacts.PlainToken, ['Plain', 'PLN', supply]),
    SoladyToken: () => deployContract(client, artifacts.SoladyToken, [supply]),
    SeparateStorageToken: () => deployContract(client, artifacts.SeparateStorageToken, [supply]),
    PackedToken: () => deployContract(client, artifacts.PackedToken, [supply]),
    ShiftedToken: () => deployContract(client, artifacts.ShiftedToken, [supply]),
    VyperLayoutToken: () => deployContract(client, artifacts.VyperLayoutToken, [supply]),
    DiamondToken: () => deployContract(client, artifacts.DiamondToken, [supply]),
    async TokenProxy() {
      const implementation = await deployContract(client, artifacts.ProxiedToken)
      const { abi } = artifacts.ProxiedToken
      const data = encodeFunctionData({ abi, functionName: 'initialize', args: [owner, supply] })
      return deployContract(client, artifacts.TokenProxy, [implementation, data])
    },
  }

  test.each(Object.keys(fixtures))('%s', async (name) => {
    const address = await (fixtures[name] as () => Promise<Address>)()
    const token = { address, abi: erc20Abi } as const
    expect(await client.readContract({ ...token, functionName: 'balanceOf', args: [owner] })).toBe(supply)
    const hash = await client.writeContract({ ...token, functionName: 'transfer', args: [other, 7n] })
    await requireSuccess(client, hash)
    expect(await client.readContract({ ...token, functionName: 'balanceOf', args: [owner] })).toBe(supply - 7n)
    expect(await client.readContract({ ...token, functionName: 'balanceOf', args: [other] })).toBe(7n)
    expect(await client.readContract({ ...token, functionName: 'totalSupply' })).toBe(supply)
    expect(await client.readContract({ ...token, functionName: 'symbol' })).toMatch(/^[A-Z]{3,4}$/)
  })
})

test('the rebasing token answers a share of its supply', async () => {
  const address = await deployContract(client, artifacts.RebasingToken, [100n])
  const token = { address, abi: artifacts.RebasingToken.abi } as const
  await requireSuccess(client, await client.writeContract({ ...token, functionName: 'rebase', args: [300n] }))
  expect(await client.readContract({ ...token, functionName: 'balanceOf', args: [owner] })).toBe(300n)
})

test('the slot reader sums a hundred slots and follows a chain of them', async () => {
  const address = await deployContract(client, artifacts.SlotReader)
  const reader = { address, abi: artifacts.SlotReader.abi } as const
  await requireSuccess(client, await client.writeContract({ ...reader, functionName: 'fill', args: [100n, 1n] }))
  expect(await client.readContract({ ...reader, functionName: 'sum', args: [100n] })).toBe(5050n)
  expect(await client.readContract({ ...reader, functionName: 'chase', args: [0n, 10n] })).toBe(10n)
})

test('the reverter reverts in each of its ways', async () => {
  const address = await deployContract(client, artifacts.Reverter)
  const reverter = { address, abi: artifacts.Reverter.abi } as const
  const read = (functionName: 'withAssert' | 'withNothing' | 'withInvalidOpcode') =>
    client.readContract({ ...reverter, functionName })
  const reason = client.readContract({ ...reverter, functionName: 'withReason', args: ['out of cheese'] })
  await expect(reason).rejects.toThrow('out of cheese')
  const custom = client.readContract({ ...reverter, functionName: 'withCustomError', args: [5n] })
  await expect(custom).rejects.toThrow('Refused(address caller, uint256 amount, string why)')
  await expect(client.readContract({ ...reverter, functionName: 'withPanic', args: [0n] })).rejects.toThrow('zero')
  await expect(read('withAssert')).rejects.toThrow('assert')
  await expect(read('withNothing')).rejects.toThrow('reverted')
  await expect(read('withInvalidOpcode')).rejects.toThrow(/invalid/i)
})

test('the factory creates at the addresses that it foretells', async () => {
  const address = await deployContract(client, artifacts.Factory)
  const factory = { address, abi: artifacts.Factory.abi } as const
  const salt = `0x${'07'.repeat(32)}` as const
  const expected = await client.readContract({ ...factory, functionName: 'addressOf', args: [9n, salt] })
  await requireSuccess(client, await client.writeContract({ ...factory, functionName: 'create2', args: [9n, salt] }))
  const child = { address: expected, abi: artifacts.Child.abi } as const
  expect(await client.readContract({ ...child, functionName: 'number' })).toBe(9n)
  await requireSuccess(client, await client.writeContract({ ...factory, functionName: 'create', args: [3n] }))
  await requireSuccess(client, await client.writeContract({ ...factory, functionName: 'flash', args: [3n, other] }))
})

test('the lender values collateral by what its oracle answers', async () => {
  const oracle = await deployContract(client, artifacts.Oracle, [2000n * 10n ** 8n])
  const address = await deployContract(client, artifacts.Lender, [oracle])
  const lender = { address, abi: artifacts.Lender.abi } as const
  const deposit = { ...lender, functionName: 'deposit', value: parseEther('1') } as const
  await requireSuccess(client, await client.writeContract(deposit))
  await requireSuccess(
    client,
    await client.writeContract({ ...lender, functionName: 'borrow', args: [1000n * 10n ** 8n] }),
  )
  expect(await client.readContract({ ...lender, functionName: 'isLiquidatable', args: [owner] })).toBe(false)
  const { abi } = artifacts.Oracle
  const drop = { address: oracle, abi, functionName: 'update', args: [1100n * 10n ** 8n] } as const
  await requireSuccess(client, await client.writeContract(drop))
  expect(await client.readContract({ ...lender, functionName: 'isLiquidatable', args: [owner] })).toBe(true)
})

test('the hostile contracts use all the gas that they get', async () => {
  const gas = 5_000_000n
  const looper = await deployContract(client, artifacts.Looper)
  const spin = { address: looper, abi: artifacts.Looper.abi, functionName: 'spin', gas } as const
  await expect(client.readContract(spin)).rejects.toThrow(/gas|OOG/i)
  const recursor = await deployContract(client, artifacts.Recursor)
  const { abi } = artifacts.Recursor
  const dive = { address: recursor, abi, functionName: 'dive', args: [0n], gas } as const
  const { result } = await client.simulateContract(dive)
  expect(result).toBeGreaterThan(10n)
  const bomb = await deployContract(client, artifacts.MemoryBomb)
  const expand = { address: bomb, abi: artifacts.MemoryBomb.abi, functionName: 'expand', gas } as const
  await expect(client.readContract(expand)).rejects.toThrow(/gas|OOG/i)
})

test('Uniswap V2 has a pool with liquidity, and swaps move its reserves', async () => {
  const uniswap = await deployUniswapV2(client)
  await uniswap.swap(parseEther('1000'))
  const [a, b] = await uniswap.reserves()
  expect(a).toBe(parseEther('1001000'))
  expect(b).toBeLessThan(parseEther('999010'))
})

test('Uniswap V3 has a pool with liquidity, and swaps move its tick', async () => {
  const uniswap = await deployUniswapV3(client)
  expect(await uniswap.tick()).toBe(0)
  await uniswap.swap(parseEther('10000'))
  const moved = await uniswap.tick()
  expect(Math.abs(moved)).toBeGreaterThan(100)
  await uniswap.swap(parseEther('20000'), 'B to A')
  expect(Math.sign(await uniswap.tick())).toBe(-Math.sign(moved))
})
