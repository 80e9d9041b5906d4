import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Anvil, artifacts, connectClient, deployContract, startAnvil, testAccounts } from '@understudy/testkit'
import {
  createTestClient,
  createWalletClient,
  http,
  numberToHex,
  pad,
  parseEther,
  publicActions,
  stringToHex,
  testActions,
  toHex,
} from 'viem'
import { anvil as anvilChain } from 'viem/chains'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { isInDatabase } from '../testDatabase.ts'

const [alice, bob] = testAccounts
const someone = `0x${'5e'.repeat(20)}` as const

let upstream: Anvil
let network: TestNetwork
beforeAll(async () => {
  upstream = await startAnvil({ chainId: 31337 })
  network = await startNetwork({ forkUrls: [upstream.url], accounts: 2 })
})
afterAll(async () => {
  await network?.stop()
  await upstream?.stop()
})
beforeEach(async () => {
  await network.rpc('anvil_reset')
  await network.rpc('dev_setMiningMode', 'instant')
})

const latest = () => network.client.getBlock()

describe.each(['anvil', 'hardhat'] as const)("viem's test client as of %s", (mode) => {
  const connect = () =>
    createTestClient({ mode, chain: anvilChain, transport: http(network.url, { retryCount: 0 }) }).extend(publicActions)

  it('sets what the next block has, and lets the ones after it go on from there', async () => {
    const client = connect()
    await client.setCoinbase({ address: someone })
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 12_345n })
    await client.setBlockGasLimit({ gasLimit: 20_000_000n })
    await network.rpc('hardhat_setPrevRandao', pad('0x77'))
    expect(await client.getGasPrice()).toBe(12_345n + 1_000_000_000n)
    await network.restart()
    await connect().mine({ blocks: 2 })
    const { number } = await latest()
    const [first, second] = await Promise.all(
      [number - 1n, number].map((blockNumber) => network.client.getBlock({ blockNumber })),
    )
    expect(first).toMatchObject({
      miner: someone,
      baseFeePerGas: 12_345n,
      gasLimit: 20_000_000n,
      mixHash: pad('0x77'),
    })
    expect(second).toMatchObject({ miner: someone, gasLimit: 20_000_000n, baseFeePerGas: 12_345n - 12_345n / 8n })
    expect(second?.mixHash).not.toBe(pad('0x77'))
  })

  it('spaces blocks as it is told', async () => {
    const client = connect()
    await client.setBlockTimestampInterval({ interval: 7 })
    const before = await latest()
    await client.mine({ blocks: 3 })
    expect((await latest()).timestamp).toBe(before.timestamp + 21n)
    await client.removeBlockTimestampInterval()
    expect(await network.rpc('anvil_removeBlockTimestampInterval')).toBe(false)
  })

  it('sees the pool and drops of it', async () => {
    const client = connect()
    await client.setAutomine(false)
    expect(await client.getAutomine()).toBe(false)
    const hash = await network.client.sendTransaction({ to: someone, value: 1n })
    await client.dropTransaction({ hash })
    await client.mine({ blocks: 1 })
    await expect(network.client.getTransaction({ hash })).rejects.toThrow('could not be found')
    expect(await network.rpc('anvil_dropTransaction', hash)).toBeNull()
    expect(await network.rpc('hardhat_dropTransaction', hash)).toBe(false)
    await client.setAutomine(true)
    expect(await client.getAutomine()).toBe(true)
  })

  it('lets everyone send, and ends that', async () => {
    const client = connect()
    const wallet = createWalletClient({ account: someone, chain: anvilChain, transport: http(network.url) })
    await client.setBalance({ address: someone, value: parseEther('1') })
    if (mode === 'anvil') await network.rpc('anvil_autoImpersonateAccount', true)
    else await client.impersonateAccount({ address: someone })
    const request = { to: bob.address, value: 1n, gas: 21_000n }
    const hash = await wallet.sendTransaction(request)
    expect((await network.client.getTransactionReceipt({ hash })).status).toBe('success')
    if (mode === 'anvil') await network.rpc('anvil_autoImpersonateAccount', false)
    else await client.stopImpersonatingAccount({ address: someone })
    await expect(wallet.sendTransaction(request)).rejects.toThrow('dev_impersonateAccount')
  })

  it('goes back to the beginning of the network', async () => {
    const client = connect()
    await client.setBalance({ address: bob.address, value: 5n })
    const counter = await deployContract(network.client, artifacts.Counter, [1n])
    await client.setLoggingEnabled(true)
    await client.reset()
    const { origin } = await network.rpc<{ origin: { number: number } }>('dev_getNetworkInfo')
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(BigInt(origin.number))
    expect(await client.getBalance({ address: bob.address })).toBe(parseEther('10000'))
    expect(await client.getCode({ address: counter })).toBeUndefined()
    expect(await client.getTransactionCount({ address: alice.address })).toBe(0)
    await expect(client.reset({ blockNumber: 99n })).rejects.toThrow('header not found: block 99')
    const moved = client.setRpcUrl(upstream.url)
    // Nodes that share a network refuse another URL.
    await (isInDatabase ? expect(moved).rejects.toThrow('several nodes share') : moved)
    // As of anvil, and of Hardhat since London.
    await expect(client.setMinGasPrice({ gasPrice: 1n })).rejects.toThrow('not supported when EIP-1559 is active')
  })

  it('reads the pool, sends without signatures, and moves time and blocks', async () => {
    const client = connect()
    await client.setAutomine(false)
    await client.setBalance({ address: someone, value: parseEther('1') })
    await client.impersonateAccount({ address: someone })
    const hash = await client.sendUnsignedTransaction({ from: someone, to: bob.address, value: 1n, gas: 21_000n })
    expect(await client.getTxpoolStatus()).toEqual({ pending: 1, queued: 0 })
    const { pending } = await client.getTxpoolContent()
    expect(Object.values(pending).flatMap((sender) => Object.values(sender))).toMatchObject([{ hash, from: someone }])
    expect(Object.keys((await client.inspectTxpool()).pending)).toHaveLength(1)
    await client.stopImpersonatingAccount({ address: someone })
    const { timestamp } = await latest()
    await client.setNextBlockTimestamp({ timestamp: timestamp + 1_000n })
    await client.mine({ blocks: 1 })
    expect(await latest()).toMatchObject({ timestamp: timestamp + 1_000n, transactions: [hash] })
    await client.increaseTime({ seconds: 500 })
    await client.mine({ blocks: 1 })
    expect((await latest()).timestamp).toBeGreaterThanOrEqual(timestamp + 1_500n)
    await client.setIntervalMining({ interval: 60 })
    await client.setIntervalMining({ interval: 0 })
    expect(await client.getAutomine()).toBe(false)
  })

  it('keeps a state and loads it again', async () => {
    const client = connect()
    await client.setStorageAt({ address: someone, index: 1, value: pad('0x7') })
    const state = await client.dumpState()
    await client.reset()
    expect(await client.getStorageAt({ address: someone, slot: '0x1' })).toBe(pad('0x0'))
    await client.loadState({ state })
    expect(await client.getStorageAt({ address: someone, slot: '0x1' })).toBe(pad('0x7'))
  })

  it('writes accounts, and goes back to a snapshot', async () => {
    const client = connect()
    const id = await client.snapshot()
    await client.setNonce({ address: someone, nonce: 9 })
    await client.setCode({ address: someone, bytecode: '0x602a60005260206000f3' })
    expect(await client.getTransactionCount({ address: someone })).toBe(9)
    expect((await client.call({ to: someone })).data).toBe(pad('0x2a'))
    await client.revert({ id })
    expect(await client.getCode({ address: someone })).toBeUndefined()
  })

  it('has no action that the tests above do not call', () => {
    const source = readFileSync(fileURLToPath(import.meta.url), 'utf8')
    const actions = Object.keys(testActions({ mode })(connect()))
    expect(actions).toContain('setRpcUrl')
    expect(actions.filter((name) => !source.includes(`client.${name}(`))).toEqual([])
  })
})

describe("anvil's state", () => {
  it('is exchanged with anvil, both ways', async () => {
    const other = await startAnvil({})
    try {
      const there = await connectClient(other.url)
      const counter = await deployContract(network.client, artifacts.Counter, [42n])
      const read = { address: counter, abi: artifacts.Counter.abi, functionName: 'number' } as const
      const dump = await network.rpc('anvil_dumpState')
      expect(await there.request({ method: 'anvil_loadState', params: [dump] } as never)).toBe(true)
      expect(await there.readContract(read)).toBe(42n)

      await there.request({ method: 'anvil_setBalance', params: [someone, '0x63'] } as never)
      const theirs = await there.request({ method: 'anvil_dumpState', params: [] } as never)
      await network.rpc('anvil_reset')
      expect(await network.rpc('anvil_loadState', theirs)).toBe(true)
      expect(await network.client.readContract(read)).toBe(42n)
      expect(await network.client.getBalance({ address: someone })).toBe(0x63n)
    } finally {
      await other.stop()
    }
  })

  it('may be as large as whole builds may be', async () => {
    const storage = Object.fromEntries(Array.from({ length: 25_000 }, (_, slot) => [pad(toHex(slot)), pad('0x1')]))
    const code = `0x${'00'.repeat(24_000)}`
    const account = { balance: '0x5', nonce: 1, code, storage }
    const state = stringToHex(JSON.stringify({ accounts: { [someone]: account } }))
    expect(state.length).toBeGreaterThan(5 * 1024 * 1024)
    for (const method of ['anvil_loadState', 'hardhat_loadState']) {
      await network.rpc('anvil_reset')
      expect(await network.rpc(method, state)).toBe(true)
      expect(await network.client.getStorageAt({ address: someone, slot: toHex(24_999) })).toBe(pad('0x1'))
    }
  })

  it('is refused when it is something else, and nothing changes', async () => {
    const bomb = 'H4sIAAAAAAAAA'
    for (const state of ['0x1234', `0x${Buffer.from(bomb).toString('hex')}`, `0x${Buffer.from('{}').toString('hex')}`])
      await expect(network.rpc('anvil_loadState', state)).rejects.toMatchObject({ code: -32602 })
    const half = { accounts: { [someone]: { balance: '0x1' }, '0x12': {} } }
    const before = await network.client.getBalance({ address: someone })
    await expect(
      network.rpc('anvil_loadState', `0x${Buffer.from(JSON.stringify(half)).toString('hex')}`),
    ).rejects.toMatchObject({ code: -32602 })
    expect(await network.client.getBalance({ address: someone })).toBe(before)
  })
})

describe('going back and exchanging blocks', () => {
  it('forgets the newest blocks with what they did', async () => {
    await network.client.sendTransaction({ to: someone, value: 1n })
    const kept = await latest()
    const balance = await network.client.getBalance({ address: someone })
    const gone = await network.client.sendTransaction({ to: someone, value: 2n })
    await network.rpc('evm_mine')
    const snapshot = await network.rpc('evm_snapshot')
    await network.rpc('anvil_rollback', 2)
    expect(await latest()).toEqual(kept)
    expect(await network.client.getBalance({ address: someone })).toBe(balance)
    await expect(network.client.getTransactionReceipt({ hash: gone })).rejects.toThrow()
    expect(await network.rpc('evm_revert', snapshot)).toBe(false)
    await network.restart()
    expect(await latest()).toEqual(kept)
    await expect(network.rpc('anvil_rollback', 100_000)).rejects.toMatchObject({ code: -32602 })
  })

  it('replaces the newest blocks by others, with other transactions', async () => {
    await network.rpc('evm_mine', { blocks: 3 })
    const before = await latest()
    const balance = await network.client.getBalance({ address: someone })
    const serialized = await network.client.signTransaction(
      await network.client.prepareTransactionRequest({ to: someone, value: 7n, nonce: undefined }),
    )
    await network.rpc('anvil_reorg', 2, [
      [serialized, 0],
      [{ from: bob.address, to: someone, value: '0x1' }, 1],
    ])
    const after = await network.client.getBlock({ includeTransactions: true })
    expect(after.number).toBe(before.number)
    expect(after.hash).not.toBe(before.hash)
    expect(after.transactions).toMatchObject([{ from: bob.address.toLowerCase() }])
    expect(await network.client.getBalance({ address: someone })).toBe(balance + 8n)
    const empty = await latest()
    await network.rpc('anvil_reorg', 1)
    expect((await latest()).parentHash).toBe(empty.parentHash)
    expect((await latest()).hash).not.toBe(empty.hash)
  })

  it('replaces nothing where a transaction cannot be decoded', async () => {
    await network.rpc('evm_mine')
    const { hash } = await latest()
    await expect(network.rpc('anvil_reorg', 1, [['0x02', 0]])).rejects.toMatchObject({ code: -32000 })
    expect((await latest()).hash).toBe(hash)
    await expect(network.rpc('anvil_reorg', 1, [['0x02', 1]])).rejects.toMatchObject({ code: -32602 })
  })
})

describe('what tools ask to know a network', () => {
  it("is told in anvil's shape and in Hardhat's", async () => {
    const block = await latest()
    const origin = await network.rpc<{ origin: { number: number; hash: string } }>('dev_getNetworkInfo')
    const shared = {
      clientVersion: expect.stringMatching(/^anvil\/understudy-v/),
      chainId: 31337,
      instanceId: expect.stringMatching(/^0x[\da-f]{64}$/),
      latestBlockNumber: Number(block.number),
      latestBlockHash: block.hash,
      forkedNetwork: { chainId: 31337, forkBlockNumber: origin.origin.number, forkBlockHash: origin.origin.hash },
    }
    expect(await network.rpc('hardhat_metadata')).toEqual(shared)
    expect(await network.rpc('anvil_metadata')).toEqual({ ...shared, snapshots: {} })
    const theirs = await (await connectClient(upstream.url)).request({ method: 'anvil_nodeInfo' } as never)
    const ours = await network.rpc<Record<string, unknown>>('anvil_nodeInfo')
    expect(Object.keys(ours)).toEqual(Object.keys(theirs as object))
    expect(ours).toMatchObject({
      currentBlockNumber: numberToHex(block.number),
      currentBlockTimestamp: Number(block.timestamp),
      forkConfig: { forkUrl: upstream.url, forkBlockNumber: origin.origin.number },
    })
    expect(await network.rpc('anvil_getGenesisTime')).toBe(
      Number((await network.client.getBlock({ blockNumber: 0n })).timestamp),
    )
  })

  it('traces no genesis, which ran nothing, where upstream answers with an empty list', async () => {
    for (const config of [{}, { tracer: 'callTracer' }])
      await expect(network.rpc('debug_traceBlockByNumber', '0x0', config)).rejects.toThrow('genesis is not traceable')
  })

  it('is all described by rpc.discover and named by rpc_modules', async () => {
    const { methods } = await network.rpc<{ methods: { name: string; params: object[] }[] }>('rpc.discover')
    expect(methods.find(({ name }) => name === 'anvil_setBalance')?.params).toMatchObject([
      { name: 'address', required: true, schema: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' } },
      { name: 'amount', required: true },
    ])
    expect(await network.rpc('rpc_modules')).toMatchObject({ anvil: '1.0', dev: '1.0', rpc: '1.0' })
  })

  it('is refused with advice where it cannot be', async () => {
    await expect(network.rpc('evm_addAccount')).rejects.toMatchObject({
      code: -32004,
      message: expect.stringContaining('dev_impersonateAccount'),
    })
  })
})

describe('token balances and allowances', () => {
  it('are set under the names of other networks', async () => {
    const token = await deployContract(network.client, artifacts.PlainToken, ['Plain', 'PLAIN', 0n])
    const read = (functionName: string, ...args: unknown[]) =>
      network.client.readContract({ address: token, abi: artifacts.PlainToken.abi, functionName, args } as never)
    await network.rpc('anvil_dealERC20', someone, token, '0x64')
    expect(await read('balanceOf', someone)).toBe(100n)
    await network.rpc('tenderly_setErc20Balance', token, [someone, bob.address], '0x65')
    await network.rpc('tenderly_addErc20Balance', token, bob.address, '0x1')
    expect([await read('balanceOf', someone), await read('balanceOf', bob.address)]).toEqual([101n, 102n])
    await network.rpc('anvil_setERC20Allowance', someone, bob.address, token, '0x9')
    expect(await read('allowance', someone, bob.address)).toBe(9n)
    expect(await network.rpc('tenderly_setBalance', [someone, bob.address], '0x5')).toMatch(/^0x[\da-f]{64}$/)
    expect(await network.rpc('tenderly_addBalance', someone, '0x5')).toMatch(/^0x[\da-f]{64}$/)
    expect(await network.client.getBalance({ address: someone })).toBe(10n)
  })

  it('of several accounts are set all or not at all', async () => {
    const followed = `0x${'f0'.repeat(20)}`
    await network.rpc('dev_followAccount', followed)
    const before = await network.client.getBalance({ address: someone })
    for (const method of ['tenderly_setBalance', 'tenderly_addBalance'])
      await expect(network.rpc(method, [someone, followed], '0x7')).rejects.toThrow(/follow/)
    expect(await network.client.getBalance({ address: someone })).toBe(before)
    await network.rpc('tenderly_addBalance', [someone, someone], '0x7')
    expect(await network.client.getBalance({ address: someone })).toBe(before + 14n)
  })
})

describe('the clock', () => {
  it('is set, in seconds or milliseconds', async () => {
    const ahead = Number((await latest()).timestamp) + 100_000
    expect(await network.rpc('evm_setTime', ahead)).toBeGreaterThan(0)
    await network.rpc('evm_mine')
    expect(Number((await latest()).timestamp)).toBeGreaterThanOrEqual(ahead)
    await network.rpc('anvil_setTime', (ahead + 5000) * 1000)
    const [block] = await network.rpc<{ timestamp: string }[]>('evm_mine_detailed')
    expect(Number(block?.timestamp)).toBeGreaterThanOrEqual(ahead + 5000)
  })
})
