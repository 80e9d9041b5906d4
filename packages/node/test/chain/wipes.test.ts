import {
  type Anvil,
  artifacts,
  connectClient,
  createFakeClock,
  deployContract,
  startAnvil,
  type TestClient,
} from '@understudy/testkit'
import { type Address, concat, encodeFunctionData, type Hex, keccak256, pad, parseEther, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Permit2 } from '../../generated/sampleContracts/index.js'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

const permit2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const token: Address = `0x${'70'.repeat(20)}`
const router: Address = `0x${'71'.repeat(20)}`
const stranger: Address = `0x${'72'.repeat(20)}`
const someone: Address = `0x${'5e'.repeat(20)}`

describe('wiping local state', () => {
  let anvil: Anvil
  let live: TestClient
  let network: TestNetwork
  let counter: Address
  const abi = artifacts.Counter.abi
  const count = () => network.client.readContract({ address: counter, abi, functionName: 'number' })
  const allowance = async (spender: Address) => {
    const owner = network.client.account.address
    const read = {
      address: permit2,
      abi: Permit2.abi,
      functionName: 'allowance',
      args: [owner, token, spender],
    } as const
    return (await network.client.readContract(read))[0]
  }
  const approve = (spender: Address, amount: bigint) =>
    network.client.writeContract({
      address: permit2,
      abi: Permit2.abi,
      functionName: 'approve',
      args: [token, spender, amount, 2 ** 40],
    })

  beforeAll(async () => {
    anvil = await startAnvil({})
    live = await connectClient(anvil.url)
    await live.setCode({ address: permit2, bytecode: Permit2.deployedBytecode })
    counter = await deployContract(live, artifacts.Counter, [7n])
  })
  afterAll(() => anvil?.stop())
  beforeEach(async () => {
    network = await startNetwork({ forkUrls: [anvil.url], accounts: 2 })
  })
  afterEach(() => network?.stop())

  it('gives everything back in one block, funds the accounts, and keeps the allowances of routers', async () => {
    const { client, rpc } = network
    const deployed = await deployContract(client, artifacts.Counter, [1n])
    await client.sendTransaction({ to: counter, data: encodeFunctionData({ abi, functionName: 'increment' }) })
    await rpc('dev_setBalance', someone, '5')
    await rpc('dev_impersonateAccount', someone)
    await approve(router, 11n)
    await approve(stranger, 22n)
    const block = await client.getBlock()
    const result = await rpc('mock_wipeLocalState', { routers: [router] })
    expect(result).toEqual({
      blockNumber: Number(block.number) + 1,
      // The two funded accounts, the new contract, someone, and whoever gets the fees.
      accountsCleared: 5,
      // The counter's number, the new contract's, the allowance of the stranger, and the hashes of four parents (EIP-2935).
      slotsCleared: 3 + 4,
      codesCleared: 3,
      allowancesKept: 1,
      wipedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(await client.getBlockNumber()).toBe(block.number + 1n)
    expect(await count()).toBe(7n)
    expect(await client.getCode({ address: deployed })).toBeUndefined()
    expect(await client.getBalance({ address: someone })).toBe(0n)
    expect(await client.getBalance({ address: client.account.address })).toBe(parseEther('10000'))
    expect(await allowance(router)).toBe(11n)
    expect(await allowance(stranger)).toBe(0n)
    // What happened stays: blocks, receipts, the allowlist, and the state that old blocks saw.
    expect(await client.getBlock({ blockNumber: block.number })).toEqual(block)
    expect(await rpc('dev_getImpersonatedAccounts')).toEqual([someone])
    expect(
      await client.readContract({ address: counter, abi, functionName: 'number', blockNumber: block.number }),
    ).toBe(8n)
    expect(await client.getStorageAt({ address: counter, slot: pad('0x0'), blockNumber: block.number })).toBe(
      pad('0x8'),
    )
  })

  it('refuses a transaction after a wipe that is in a block already, as its hash would name two', async () => {
    const { client, rpc } = network
    await rpc('mock_wipeLocalState')
    const nonce = await client.getTransactionCount({ address: client.account.address })
    const request = {
      to: someone,
      value: 1n,
      nonce,
      gas: 21_000n,
      maxFeePerGas: parseEther('0.0000001'),
      maxPriorityFeePerGas: 1n,
    }
    const serializedTransaction = await client.signTransaction(request)
    const first = await client.sendRawTransaction({ serializedTransaction })
    const { blockNumber } = await client.getTransactionReceipt({ hash: first })
    await rpc('mock_wipeLocalState')
    await expect(client.sendRawTransaction({ serializedTransaction })).rejects.toThrow(/already known/)
    expect((await client.getTransactionReceipt({ hash: first })).blockNumber).toBe(blockNumber)
  })

  it('works after more blocks than the protocol keeps the hashes of, in a branch too', async () => {
    const blockHashes = '0x0000f90827f1c53a10cb7a02335b175320002935'
    const remembered = 8191n
    const kept = await startNetwork({ forkUrls: [anvil.url] })
    try {
      await kept.rpc('anvil_mine', toHex(remembered + 9n))
      const { url } = await kept.rpc<{ url: string }>('dev_createBranch', { name: 'old' })
      for (const client of [await connectClient(url), kept.client]) {
        const parent = await client.getBlock()
        const wiped = client.request({ method: 'mock_wipeLocalState', params: [] } as never, { retryCount: 0 })
        expect(await wiped).toMatchObject({ blockNumber: Number(parent.number) + 1 })
        const slot = toHex(parent.number % remembered)
        expect(await client.getStorageAt({ address: blockHashes, slot })).toBe(parent.hash)
      }
    } finally {
      await kept.stop()
    }
  })

  it('keeps a schedule across restarts, and wipes by it', async () => {
    expect(await network.rpc('mock_getWipeSchedule')).toMatchObject({ intervalMs: null, routers: [], onStartup: false })
    const schedule = { intervalMs: 1000, routers: [router], onStartup: false }
    expect(await network.rpc('mock_setWipeSchedule', schedule)).toMatchObject(schedule)
    await network.restart()
    expect(await network.rpc('mock_getWipeSchedule')).toMatchObject(schedule)
    await network.rpc('dev_setBalance', someone, '5')
    await eventually(
      () => network.client.getBalance({ address: someone }),
      (balance) => balance === 0n,
    )
    expect(await network.rpc('mock_setWipeSchedule', { intervalMs: null })).toMatchObject({
      ...schedule,
      intervalMs: null,
    })
  })

  it('wipes at the start, before the first request is served', async () => {
    await network.rpc('mock_setWipeSchedule', { onStartup: true })
    await network.rpc('dev_setBalance', someone, '5')
    await network.restart()
    expect(await network.client.getBalance({ address: someone })).toBe(0n)
  })

  it('is no part of what a branch begins with, and is not due when one wakes', async () => {
    const clock = createFakeClock()
    const watched = await startNetwork({ forkUrls: [anvil.url] }, { clock })
    try {
      await watched.rpc('mock_setWipeSchedule', { onStartup: true, intervalMs: 5000 })
      await watched.rpc('dev_setBalance', someone, '5')
      const { url } = await watched.rpc<{ url: string }>('dev_createBranch', { name: 'kept' })
      const branch = () => connectClient(`${watched.url}${new URL(url).pathname}`)
      const inBranch = await branch()
      const ask = async (method: string, ...params: unknown[]) =>
        (await branch()).request({ method, params } as never, { retryCount: 0 }) as Promise<unknown>
      expect(await ask('mock_getWipeSchedule')).toMatchObject({ intervalMs: null, onStartup: false })
      expect(await inBranch.getBalance({ address: someone })).toBe(5n)
      // One of its own: it sleeps and wakes, and is wiped when the process has started again.
      await ask('mock_setWipeSchedule', { onStartup: true })
      clock.advance(60_000)
      await eventually(
        async () => watched.client.getBalance({ address: someone }),
        (balance) => balance === 0n,
      )
      expect(await inBranch.getBalance({ address: someone })).toBe(5n)
      await watched.restart()
      expect(await (await branch()).getBalance({ address: someone })).toBe(0n)
    } finally {
      await watched.stop()
    }
  })

  it('refuses a schedule that makes no sense, and keeps the one it has', async () => {
    const before = await network.rpc('mock_getWipeSchedule')
    for (const changes of [
      { intervalMs: 999 },
      { intervalMs: 1.5e3 + 0.5 },
      { intervalMs: '1000' },
      { every: 1 },
      { routers: ['0x12'] },
    ])
      await expect(network.rpc('mock_setWipeSchedule', changes)).rejects.toMatchObject({ code: -32602 })
    expect(await network.rpc('mock_getWipeSchedule')).toEqual(before)
  })
})

describe('an allowance of Permit2 that was given on the live chain and spent here', () => {
  it('is kept, although no event of this network tells of it', async () => {
    const anvil = await startAnvil({})
    const live = await connectClient(anvil.url)
    await live.setCode({ address: permit2, bytecode: Permit2.deployedBytecode })
    const owner = live.account.address
    const token = await deployContract(live, artifacts.PlainToken, ['Token', 'T', 1000n])
    const { abi } = artifacts.PlainToken
    await live.writeContract({ address: token, abi, functionName: 'approve', args: [permit2, 1000n] })
    const args = [token, router, 100n, 2 ** 40] as const
    const hash = await live.writeContract({ address: permit2, abi: Permit2.abi, functionName: 'approve', args })
    await live.waitForTransactionReceipt({ hash })
    const network = await startNetwork({ forkUrls: [anvil.url] })
    const left = async () => {
      const args = [owner, token, router] as const
      return (
        await network.client.readContract({ address: permit2, abi: Permit2.abi, functionName: 'allowance', args })
      )[0]
    }
    await network.rpc('dev_setBalance', router, parseEther('1').toString())
    await network.rpc('dev_impersonateAccount', router)
    const data = encodeFunctionData({
      abi: Permit2.abi,
      functionName: 'transferFrom',
      args: [owner, someone, 30n, token],
    })
    await network.rpc('eth_sendTransaction', { from: router, to: permit2, data, gas: '0x30d40' })
    expect(await left()).toBe(70n)
    await network.restart()
    expect(await network.rpc('mock_wipeLocalState', { routers: [router] })).toMatchObject({ allowancesKept: 1 })
    expect(await left()).toBe(70n)
    expect(await network.rpc('mock_wipeLocalState', { routers: [] })).toMatchObject({ allowancesKept: 0 })
    expect(await left()).toBe(100n)
    // Written directly: the call that reads it shows whose allowance the slot is.
    const key = (word: string, slot: Hex) => keccak256(concat([pad(word as Hex), slot]))
    const slot = key(router, key(token, key(owner, pad('0x1'))))
    await network.rpc('dev_setStorageAt', permit2, slot, pad(toHex(55n)))
    expect(await left()).toBe(55n)
    expect(await network.rpc('mock_wipeLocalState', { routers: [router] })).toMatchObject({ allowancesKept: 1 })
    expect(await left()).toBe(55n)
    await network.stop()
    await anvil.stop()
  })
})
