import {
  type Anvil,
  connectClient,
  deployContract,
  requireSuccess,
  startAnvil,
  type TestClient,
  testAccounts,
} from '@understudy/testkit'
import { type Address, encodeFunctionData, maxUint160, maxUint256, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  Collectible,
  ERC20,
  Permit2,
  Pool,
  PriceFeed,
  ProxiedToken,
  Token,
  TokenProxy,
} from '../../generated/sampleContracts/index.js'

let anvil: Anvil
let client: TestClient
const [owner, other] = [testAccounts[0].address, testAccounts[1].address]
const supply = parseEther('1000000')

beforeAll(async () => {
  // The oldest fork that the contracts must run on.
  anvil = await startAnvil({ hardfork: 'london' })
  client = await connectClient(anvil.url)
})
afterAll(() => anvil.stop())

const deployToken = (symbol: string) => deployContract(client, Token, [`Token ${symbol}`, symbol, 18, supply])
const balanceOf = (token: Address, holder: Address) =>
  client.readContract({ address: token, abi: ERC20.abi, functionName: 'balanceOf', args: [holder] })
const approve = async (token: Address, spender: Address) => {
  const call = { address: token, abi: ERC20.abi, functionName: 'approve', args: [spender, maxUint256] } as const
  await requireSuccess(client, await client.writeContract(call))
}

test('the pool mints shares, swaps at the constant product, and pays out what shares are worth', async () => {
  const [a, b] = [await deployToken('AAA'), await deployToken('BBB')]
  const pool = await deployContract(client, Pool, [a, b])
  for (const token of [a, b]) await approve(token, pool)
  const of = { address: pool, abi: Pool.abi } as const
  const liquidity = parseEther('1000')
  await requireSuccess(
    client,
    await client.writeContract({ ...of, functionName: 'mint', args: [liquidity, liquidity, owner] }),
  )
  expect(await balanceOf(pool, owner)).toBe(liquidity)

  const amount = parseEther('10')
  const expected = await client.readContract({ ...of, functionName: 'quote', args: [a, amount] })
  expect(expected).toBe(9871580343970612988n)
  const swap = { ...of, functionName: 'swap', args: [a, amount, expected, other] } as const
  await requireSuccess(client, await client.writeContract(swap))
  expect(await balanceOf(b, other)).toBe(expected)
  const reserves = await client.readContract({ ...of, functionName: 'getReserves' })
  expect(reserves.slice(0, 2)).toContain(liquidity + amount)
  const events = await client.getContractEvents({ ...of, fromBlock: 0n })
  expect(events.map(({ eventName }) => eventName)).toEqual(['Transfer', 'Sync', 'Mint', 'Sync', 'Swap'])

  await expect(client.simulateContract({ ...swap, args: [a, amount, amount, other] })).rejects.toThrow('OutputTooLow')
  await expect(client.simulateContract({ ...swap, args: [owner, amount, 0n, other] })).rejects.toThrow('NotInPool')
  await requireSuccess(client, await client.writeContract({ ...of, functionName: 'burn', args: [liquidity, other] }))
  expect(await balanceOf(a, pool)).toBe(0n)
})

test('only the owner mints tokens, and nobody moves more than there is or than was allowed', async () => {
  const address = await deployToken('CCC')
  const token = { address, abi: Token.abi } as const
  await requireSuccess(client, await client.writeContract({ ...token, functionName: 'mint', args: [other, 5n] }))
  expect(await client.readContract({ ...token, functionName: 'totalSupply' })).toBe(supply + 5n)
  const asOther = { ...token, account: other } as const
  await expect(client.simulateContract({ ...asOther, functionName: 'mint', args: [other, 1n] })).rejects.toThrow(
    'NotOwner',
  )
  await expect(client.simulateContract({ ...asOther, functionName: 'transfer', args: [owner, 6n] })).rejects.toThrow(
    'InsufficientBalance',
  )
  await expect(
    client.simulateContract({ ...asOther, functionName: 'transferFrom', args: [owner, other, 1n] }),
  ).rejects.toThrow('InsufficientAllowance')
})

test('the price feed answers its latest round, and its owner starts the next', async () => {
  const address = await deployContract(client, PriceFeed, ['AAA / USD', 8, parseUnits('2000', 8)])
  const feed = { address, abi: PriceFeed.abi } as const
  await requireSuccess(
    client,
    await client.writeContract({ ...feed, functionName: 'update', args: [parseUnits('2100', 8)] }),
  )
  const { timestamp } = await client.getBlock()
  const round = await client.readContract({ ...feed, functionName: 'latestRoundData' })
  expect(round).toEqual([2n, parseUnits('2100', 8), timestamp, timestamp, 2n])
  expect(await client.readContract({ ...feed, functionName: 'decimals' })).toBe(8)
  const update = { ...feed, functionName: 'update', args: [1n], account: other } as const
  await expect(client.simulateContract(update)).rejects.toThrow('NotOwner')
  await expect(client.readContract({ ...feed, functionName: 'getRoundData', args: [9n] })).rejects.toThrow(
    'NoDataPresent',
  )
})

test('Permit2 keeps its allowances where the real one does, also when its code is put at an address', async () => {
  const address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
  await client.setCode({ address, bytecode: Permit2.deployedBytecode })
  const token = await deployToken('DDD')
  await approve(token, address)
  const permit2 = { address, abi: Permit2.abi } as const
  const expiration = 2 ** 40
  const grant = { ...permit2, functionName: 'approve', args: [token, other, 100n, expiration] } as const
  await requireSuccess(client, await client.writeContract(grant))
  const allowance = { ...permit2, functionName: 'allowance', args: [owner, token, other] } as const
  expect(await client.readContract(allowance)).toEqual([100n, expiration, 0])
  expect(Permit2.storageLayout?.storage).toMatchObject([
    { label: 'nonceBitmap', slot: '0' },
    { label: 'allowance', slot: '1' },
  ])

  const spender = await connectClient(anvil.url, testAccounts[1])
  const take = { ...permit2, functionName: 'transferFrom', args: [owner, other, 60n, token] } as const
  await requireSuccess(spender, await spender.writeContract(take))
  expect(await client.readContract(allowance)).toEqual([40n, expiration, 0])
  await expect(spender.simulateContract(take)).rejects.toThrow('InsufficientAllowance')
  const unlimited = { ...permit2, functionName: 'approve', args: [token, other, maxUint160, 1] } as const
  await requireSuccess(client, await client.writeContract(unlimited))
  await expect(spender.simulateContract(take)).rejects.toThrow('AllowanceExpired')
  const lockdown = { ...permit2, functionName: 'lockdown', args: [[{ token, spender: other }]] } as const
  await requireSuccess(client, await client.writeContract(lockdown))
  expect(await client.readContract(allowance)).toEqual([0n, 1, 0])
})

test('the proxy delegates to an implementation that only its admin changes', async () => {
  const { abi } = ProxiedToken
  const implementation = await deployContract(client, ProxiedToken)
  const data = encodeFunctionData({ abi, functionName: 'initialize', args: ['Proxied', 'PRX', owner, supply] })
  const address = await deployContract(client, TokenProxy, [implementation, data])
  expect(await client.readContract({ address, abi, functionName: 'symbol' })).toBe('PRX')
  expect(await balanceOf(address, owner)).toBe(supply)
  expect(await balanceOf(implementation, owner)).toBe(0n)
  const slot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
  expect(await client.getStorageAt({ address, slot })).toBe(
    `0x${'00'.repeat(12)}${implementation.slice(2).toLowerCase()}`,
  )

  const again = { address, abi, functionName: 'initialize', args: ['x', 'x', owner, 1n], account: other } as const
  await expect(client.simulateContract(again)).rejects.toThrow('AlreadyInitialized')
  const next = await deployContract(client, ProxiedToken)
  const upgrade = { address, abi: TokenProxy.abi, functionName: 'upgradeTo', args: [next] } as const
  await expect(client.simulateContract({ ...upgrade, account: other })).rejects.toThrow()
  await requireSuccess(client, await client.writeContract(upgrade))
  expect(await client.getStorageAt({ address, slot })).toContain(next.slice(2).toLowerCase())
})

test('collectibles are minted, approved and moved', async () => {
  const address = await deployContract(client, Collectible, ['Sample Collectible', 'SMPL'])
  const of = { address, abi: Collectible.abi } as const
  await requireSuccess(client, await client.writeContract({ ...of, functionName: 'mint', args: [owner] }))
  expect(await client.readContract({ ...of, functionName: 'ownerOf', args: [1n] })).toBe(owner)
  expect(await client.readContract({ ...of, functionName: 'supportsInterface', args: ['0x80ac58cd'] })).toBe(true)
  const transfer = { ...of, functionName: 'transferFrom', args: [owner, other, 1n] } as const
  await expect(client.simulateContract({ ...transfer, account: other })).rejects.toThrow('NotAllowed')
  await requireSuccess(client, await client.writeContract({ ...of, functionName: 'approve', args: [other, 1n] }))
  const spender = await connectClient(anvil.url, testAccounts[1])
  const safe = { ...of, functionName: 'safeTransferFrom', args: [owner, other, 1n] } as const
  await requireSuccess(spender, await spender.writeContract(safe))
  expect(await client.readContract({ ...of, functionName: 'balanceOf', args: [other] })).toBe(1n)
  const pool = await deployContract(client, ProxiedToken)
  const refused = spender.simulateContract({ ...safe, args: [other, pool, 1n] })
  await expect(refused).rejects.toThrow()
  await expect(client.readContract({ ...of, functionName: 'tokenURI', args: [9n] })).rejects.toThrow('NoSuchToken')
})
