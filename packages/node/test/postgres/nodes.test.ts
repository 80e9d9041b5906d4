import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, artifacts, connectClient, deployContract, startAnvil, testAccounts } from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex, numberToHex, pad, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { digestOfBody, internalHeaders, internalPath, signatureOf } from '../../src/cluster/internalCalls.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { openSharedDatabase } from '../../src/storage/openDatabase.ts'
import { loadLease } from '../../src/storage/records/lease.ts'
import { compileSource } from '../compileSource.ts'
import { runCommand } from '../runCommand.ts'
import { eventually } from '../startNetwork.ts'
import { dropTestLocation, requireTestLocation, type TestLocation } from '../testDatabase.ts'
import { type NodeProcess, startNode } from './startNodes.ts'

let location: TestLocation
let anvil: Anvil
let directory: string
let sealer: NodeProcess
let reader: NodeProcess
let other: NodeProcess
beforeAll(async () => {
  location = requireTestLocation()
  anvil = await startAnvil({})
  directory = mkdtempSync(join(tmpdir(), 'understudy-nodes-'))
  sealer = await startNode(location, anvil, directory)
  ;[reader, other] = await Promise.all([startNode(location, anvil, directory), startNode(location, anvil, directory)])
}, 90_000)
afterAll(async () => {
  for (const node of [sealer, reader, other]) {
    node?.signal('SIGKILL')
    await node?.ended
  }
  await anvil?.stop()
  await dropTestLocation(location)
  rmSync(directory, { recursive: true, force: true })
})

// Each test begins where no node is behind the one that seals.
beforeEach(async () => {
  for (const node of [reader, other])
    await eventually(
      () => node.status(),
      ({ behind }) => behind === 0,
    )
})

const address: Address = `0x${'ab'.repeat(20)}`
const onBoth = <T>(read: (node: NodeProcess) => Promise<T>) => Promise.all([read(reader), read(other)])
/** Waits until a node that was not written through knows it too. */
const learns = <T>(read: (node: NodeProcess) => Promise<T>, matches: (value: T) => boolean) =>
  eventually(() => read(other), matches)

describe('of several nodes', () => {
  it('one seals, which the others name', async () => {
    expect(await sealer.status()).toMatchObject({ role: 'sealer', sealer: sealer.url })
    for (const status of await onBoth((node) => node.status()))
      expect(status).toMatchObject({ role: 'reader', sealer: sealer.url })
    expect(await reader.rpc('dev_getNetworkInfo')).toMatchObject({ node: { role: 'reader', behind: 0 } })
    const shown = async ({ url }: NodeProcess) =>
      (await runCommand(['status', '--rpc-url', url], directory).ended).stdout
    expect(await shown(sealer)).toMatch(/^node +it seals$/m)
    expect(await shown(reader)).toContain(`it reads, 0 changes behind; ${sealer.url} seals`)
  })

  it('the one that seals has the branches, which all serve', async () => {
    const holder = pad('0xb1', { size: 20 })
    const { url } = await reader.rpc<{ url: string }>('dev_createBranch', { name: 'shared' })
    const ask = async (node: NodeProcess, method: string, ...params: unknown[]) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
      return (await fetch(`${node.url}/n/shared`, { method: 'POST', body })).json()
    }
    expect(url).toBe(`${sealer.url}/n/shared`)
    expect(await ask(reader, 'dev_setBalance', holder, '77')).toMatchObject({ id: 7, result: { balance: '77' } })
    for (const node of [sealer, reader, other])
      expect(await ask(node, 'eth_getBalance', holder, 'latest')).toMatchObject({ id: 7, result: '0x4d' })
    expect(await sealer.rpc('eth_getBalance', holder, 'latest')).toBe('0x0')
    await learns(
      (node) => node.rpc<{ name: string }[]>('dev_getBranches'),
      (branches) => branches.some(({ name }) => name === 'shared'),
    )
    expect(await ask(other, 'eth_nothing')).toMatchObject({ id: 7, error: { code: -32601 } })
    await other.rpc('dev_removeBranch', 'shared')
    expect(await ask(reader, 'eth_chainId')).toMatchObject({ id: 7, error: { code: -32001 } })
  })

  it('others save simulations on the one that seals, and all read them', async () => {
    const call = { from: testAccounts[0].address, to: address, value: '0x1' }
    const { saved } = await reader.rpc<{ saved: [string] }>('dev_simulate', { calls: [call], save: true })
    const [id] = saved
    for (const node of [sealer, reader, other])
      expect(await node.rpc('dev_getSimulation', id)).toMatchObject({ id, isShared: false })
    const path = `/api/v1/account/me/project/project/simulations/${id}/share`
    expect((await fetch(other.url + path, { method: 'POST' })).status).toBe(200)
    for (const node of [sealer, other])
      expect(await node.rpc('dev_getSimulation', id)).toMatchObject({ isShared: true })
  })

  it('others read the blocks of a run, and announce the newest', async () => {
    const filter = await reader.rpc('eth_newBlockFilter')
    await reader.rpc('anvil_mine', '0x7d0')
    const head = await sealer.rpc<Hex>('eth_blockNumber')
    const tags = [numberToHex(Number(head) - 700), head]
    for (const tag of tags) {
      const block = await sealer.rpc<{ hash: Hex }>('eth_getBlockByNumber', tag, false)
      expect(await reader.rpc('eth_getBlockByNumber', tag, false)).toEqual(block)
      expect(await reader.rpc('eth_getBlockByHash', block.hash, false)).toEqual(block)
    }
    const newest = (await sealer.rpc<{ hash: Hex }>('eth_getBlockByNumber', head, false)).hash
    const announced: Hex[] = []
    await eventually(
      async () => {
        announced.push(...(await reader.rpc<Hex[]>('eth_getFilterChanges', filter)))
        return announced.at(-1)
      },
      (hash) => hash === newest,
    )
    expect(announced.length).toBeGreaterThanOrEqual(256)
    expect(announced.length).toBeLessThan(1_500)
    await reader.rpc('anvil_rollback', 700)
    await learns(
      (node) => node.rpc<Hex>('eth_blockNumber'),
      (number) => number === tags[0],
    )
    expect(await other.rpc('eth_getBlockByNumber', 'latest', false)).toEqual(
      await sealer.rpc('eth_getBlockByNumber', tags[0], false),
    )
  })

  it('a reader names the one that verifies sources', async () => {
    const response = await fetch(`${reader.url}/api`, {
      method: 'POST',
      body: new URLSearchParams({ module: 'contract', action: 'verifysourcecode', contractaddress: address }),
    })
    expect(await response.json()).toMatchObject({
      status: '0',
      result: `this node does not seal blocks: send sources to the node that does, ${sealer.url}`,
    })
    const sourcify = await fetch(`${reader.url}/sourcify/v2/verify/31337/${address}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(sourcify.status).toBe(409)
  })

  it('each reads what was written through it, at once, in the order of a batch', async () => {
    const { address: to } = testAccounts[3]
    const after = (await reader.client.getBalance({ address: to })) + parseEther('1')
    const hash = await reader.client.sendTransaction({ to, value: parseEther('1') })
    expect(await reader.client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    expect(await reader.client.getBalance({ address: to })).toBe(after)
    const set = (id: number, wei: string) => ({ jsonrpc: '2.0', id, method: 'dev_setBalance', params: [address, wei] })
    const get = (id: number) => ({ jsonrpc: '2.0', id, method: 'eth_getBalance', params: [address, 'latest'] })
    const response = await fetch(reader.url, {
      method: 'POST',
      body: JSON.stringify([set(1, '5'), get(2), set(3, '6'), get(4)]),
    })
    expect(await response.json()).toMatchObject([
      { id: 1 },
      { id: 2, result: '0x5' },
      { id: 3 },
      { id: 4, result: '0x6' },
    ])
    await learns(
      (node) => node.client.getBalance({ address: to }),
      (balance) => balance === after,
    )
  })

  it('each reads the transactions that wait at the one that seals, and the block that would take them in', async () => {
    await reader.rpc('dev_setMiningMode', 'manual')
    await learns(
      async (node) => (await node.rpc<{ mode: string }>('dev_getNetworkInfo')).mode,
      (mode) => mode === 'manual',
    )
    const [{ address: from }] = testAccounts
    const to = `0x${'77'.repeat(20)}` as const
    const sealed = await other.rpc<Hex>('eth_getTransactionCount', from, 'latest')
    const hash = await reader.rpc<Hex>('eth_sendTransaction', { from, to, value: '0x5' })
    const nonce = numberToHex(Number(sealed) + 1)
    for (const node of [reader, other]) {
      expect(await node.rpc('eth_getTransactionCount', from, 'pending')).toBe(nonce)
      expect(await node.rpc('eth_getTransactionCount', from, 'latest')).toBe(sealed)
      expect(await node.rpc('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
      expect(await node.rpc('eth_getTransactionByHash', hash)).toMatchObject({ hash, blockHash: null })
      expect(await node.rpc('eth_getBalance', to, 'pending')).toBe('0x5')
      expect(await node.rpc('eth_getBalance', to, 'latest')).toBe('0x0')
      expect(await node.rpc('eth_getBlockByNumber', 'pending', false)).toMatchObject({ transactions: [hash] })
      expect(await node.rpc('eth_estimateGas', { from: to, to: from, value: '0x5' })).toBe('0x5208')
    }
    await reader.rpc('dev_setMiningMode', 'instant')
    await reader.rpc('evm_mine')
    expect(await reader.rpc('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  })

  it('a reader passes on what the one that seals refuses, and checks parameters like it', async () => {
    await expect(reader.rpc('dev_setBalance', 'nobody', '1')).rejects.toMatchObject({ code: -32602 })
    await expect(reader.rpc('dev_removeFunctionOverride', 'none')).rejects.toMatchObject({ code: -32001 })
  })

  it('a reader signs by itself, for it holds the same keys', async () => {
    const [first] = testAccounts
    const signed = await Promise.all([reader, sealer].map((node) => node.rpc('eth_sign', first.address, '0x01')))
    expect(signed[0]).toBe(signed[1])
  })

  describe('where nodes talk', () => {
    const chainId = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' })
    const signed = async (body: string, offMs = 0) => {
      const database = await openSharedDatabase(location, { clock: systemClock })
      const { secret } = await loadLease(database.sideConnection)
      await database.close()
      const call = {
        time: String(Date.now() + offMs),
        nonce: randomUUID(),
        digest: digestOfBody(body),
        role: 'admin',
        key: undefined,
      }
      return {
        [internalHeaders.signature]: signatureOf(secret, call),
        [internalHeaders.time]: call.time,
        [internalHeaders.nonce]: call.nonce,
        [internalHeaders.digest]: call.digest,
        [internalHeaders.role]: call.role,
      }
    }
    const post = async (headers: Record<string, string>, body = chainId) => {
      const response = await fetch(`${sealer.url}${internalPath}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      })
      return [response.status, await response.text()]
    }

    it('no request is accepted without the secret of the network', async () => {
      const guess = { ...(await signed(chainId)), [internalHeaders.signature]: 'ab'.repeat(32) }
      for (const headers of [{}, guess])
        expect(await post(headers)).toEqual([403, expect.stringContaining('only nodes')])
    })

    it('a call is taken once, with the body that was signed, and not from another time', async () => {
      const headers = await signed(chainId)
      expect(await post(headers)).toEqual([200, expect.stringContaining('"result":"0x')])
      expect(await post(headers)).toEqual([403, 'this call was already made'])
      const mine = chainId.replace('eth_chainId', 'evm_mine')
      expect(await post(await signed(chainId), mine)).toEqual([403, 'the body does not match its signature'])
      expect(await post(await signed(chainId, -60_000))).toEqual([403, expect.stringContaining('60 s apart')])
    })
  })
})

describe('what is changed through one node is known on the others:', () => {
  /** Deploys a token that all know. */
  async function deployToken(): Promise<Address> {
    const token = await deployContract(reader.client, artifacts.PlainToken, ['Test', 'TST', 1000n])
    await learns(
      (node) => node.client.getCode({ address: token }),
      (code) => code !== undefined,
    )
    return token
  }

  it('overrides', async () => {
    const token = await deployToken()
    const { abi } = artifacts.PlainToken
    const balanceOf = (node: NodeProcess, holder: Address) =>
      node.client.readContract({ address: token, abi, functionName: 'balanceOf', args: [holder] })
    const override = { contractAddress: token, functionAbi: 'function balanceOf(address) view returns (uint256)' }
    const { id } = await reader.rpc<{ id: string }>('dev_addFunctionOverride', { ...override, returnValues: ['77'] })
    expect(await balanceOf(reader, address)).toBe(77n)
    await learns(
      (node) => balanceOf(node, address),
      (balance) => balance === 77n,
    )
    await reader.rpc('dev_removeFunctionOverride', id)
    await learns(
      (node) => balanceOf(node, address),
      (balance) => balance === 0n,
    )
  })

  it('slots and code', async () => {
    const address = pad('0xc1', { size: 20 })
    await reader.rpc('dev_setStorageAt', address, '1', pad(numberToHex(9)))
    await reader.rpc('dev_setCode', address, '0x6001')
    await learns(
      async (node) => [
        await node.client.getStorageAt({ address, slot: '0x1' }),
        await node.client.getCode({ address }),
      ],
      ([slot, code]) => slot === pad('0x9') && code === '0x6001',
    )
  })

  it('followed token balances, which end without their token', async () => {
    const deployer = await connectClient(anvil.url, testAccounts[3])
    const made = await deployContract(deployer, artifacts.PlainToken, ['Plain', 'PLN', 1000n])
    const token = made.toLowerCase() as Address
    await learns((node) => node.client.getCode({ address: token }), Boolean)
    const { slot } = await reader.rpc<{ slot: Hex }>('dev_followTokenBalance', token, address)
    type Followed = { tokenBalances?: unknown[] }
    const { tokenBalances } = await learns(
      (node) => node.rpc<Followed>('dev_getFollowed'),
      (all) => 'tokenBalances' in all,
    )
    expect(tokenBalances).toEqual([{ token, holder: address, address: token, slot }])
    await reader.rpc('dev_setCode', token, '0x5f5ffd')
    expect(await other.rpc('dev_unfollowTokenBalance', token, address)).toMatchObject({ slot, removed: 1 })
    for (const node of [reader, other])
      await eventually(
        () => node.rpc<Followed>('dev_getFollowed'),
        (all) => !('tokenBalances' in all),
      )
  })

  it('a transaction of a followed sender that is in a block, on a branch too', async () => {
    const { address: sender } = testAccounts[4]
    await reader.rpc('dev_followAccount', sender)
    const signer = await connectClient(anvil.url, testAccounts[4])
    const fees = { maxFeePerGas: parseEther('0.000001'), maxPriorityFeePerGas: 1n }
    const raw = await signer.signTransaction({ nonce: 0, to: address, value: 1n, gas: 21_000n, ...fees })
    await reader.rpc('eth_sendRawTransaction', raw)
    for (const node of [reader, other, sealer])
      await expect(node.rpc('eth_sendRawTransaction', raw)).rejects.toThrow(/already known/)
    await other.rpc('dev_createBranch', { name: 'sent' })
    const branch = await connectClient(`${reader.url}/n/sent`)
    const again = branch.request({ method: 'eth_sendRawTransaction', params: [raw] }, { retryCount: 0 })
    await expect(again).rejects.toThrow(/already known/)
    await reader.rpc('dev_removeBranch', 'sent')
    await reader.rpc('dev_unfollowAccount', sender)
  })

  it('balances that are a sum, or have a fixed offset, and the slots that are named instead, on a branch too', async () => {
    const compiled = compileSource(
      'Sums.sol',
      `contract Sum {
      mapping(address => uint256) a; mapping(address => uint256) b;
      constructor(address holder) { a[holder] = 35; }
      function balanceOf(address owner) external view returns (uint256) { return a[owner] + b[owner]; }
    }
    contract Offset {
      mapping(address => uint256) a;
      constructor(address holder) { a[holder] = 35; }
      function balanceOf(address owner) external view returns (uint256) { return a[owner] + 7; }
    }`,
    )
    const deployer = await connectClient(anvil.url, testAccounts[3])
    for (const name of ['Sum', 'Offset'] as const) {
      const token = await deployContract(deployer, compiled[name] as never, [address] as never)
      for (const node of [sealer, reader, other])
        await eventually(() => node.client.getCode({ address: token }), Boolean)
      await reader.rpc('dev_createBranch', { name })
      for (const url of [sealer.url, reader.url, other.url, `${reader.url}/n/${name}`]) {
        const { request } = await connectClient(url)
        const follow = { method: 'dev_followTokenBalance', params: [token, address] } as never
        const { message } = await request(follow, { retryCount: 0 }).catch((error) => error)
        const slots = [...message.matchAll(/0x[\da-f]{64}(?= of )/g)].map(([slot]) => slot as Hex)
        const values = slots.map((slot) => request({ method: 'eth_getStorageAt', params: [token, slot, 'latest'] }))
        expect((await Promise.all(values)).map(Number).sort()).toEqual(name === 'Sum' ? [0, 35] : [35])
      }
      await reader.rpc('dev_removeBranch', name)
    }
  })

  it('slots that simulated blocks leave live, on a branch too', async () => {
    /** Adds 1 to its slot 0, and returns it. */
    const counter = pad('0xc0c0', { size: 20 })
    await anvil.rpc('anvil_setCode', [counter, '0x5f54600101805f555f5260205ff3'])
    await anvil.rpc('evm_mine', [])
    for (const node of [sealer, reader, other])
      await eventually(() => node.client.getCode({ address: counter }), Boolean)
    const calls = [{ to: counter }, { to: counter }]
    const simulated = async (url: string) => {
      const { request } = await connectClient(url)
      const params = [{ blockStateCalls: [{ calls }, { calls }] }, 'latest']
      const blocks = await request<{
        ReturnType: { calls: { returnData: Hex }[] }[]
        Parameters: unknown[]
        Method: string
      }>({
        method: 'eth_simulateV1',
        params,
      })
      return blocks.flatMap(({ calls }) => calls.map(({ returnData }) => Number(returnData)))
    }
    expect(await simulated(reader.url)).toEqual([1, 2, 3, 4])
    await reader.rpc('dev_followSlots', counter, ['0x0'])
    await reader.rpc('dev_createBranch', { name: 'simulated' })
    await learns(
      (node) => simulated(node.url),
      (values) => values.join() === '1,2,1,2',
    )
    for (const url of [sealer.url, reader.url, `${other.url}/n/simulated`])
      expect(await simulated(url)).toEqual([1, 2, 1, 2])
    await reader.rpc('dev_removeBranch', 'simulated')
    await reader.rpc('dev_unfollowSlots', counter, ['0x0'])
  })

  it('follows and impersonated accounts', async () => {
    const followed = testAccounts[2].address
    await reader.rpc('dev_followAccount', followed)
    await reader.rpc('dev_impersonateAccount', address)
    await learns(
      async (node) => [
        await node.rpc<{ accounts: Hex[] }>('dev_getFollowed'),
        await node.rpc('dev_getImpersonatedAccounts'),
      ],
      ([{ accounts }, impersonated]) =>
        accounts.includes(followed.toLowerCase() as Hex) && (impersonated as Hex[]).includes(address),
    )
    await anvil.rpc('anvil_setBalance', [followed, numberToHex(123)])
    await anvil.rpc('evm_mine', [])
    await learns(
      (node) => node.client.getBalance({ address: followed }),
      (balance) => balance === 123n,
    )
  })

  it('signatures that recover to a chosen address', async () => {
    await reader.rpc('anvil_impersonateSignature', `0x${'11'.repeat(64)}1b`, address)
    const data = `0x${'aa'.repeat(32)}${'1b'.padStart(64, '0')}${'11'.repeat(64)}` as const
    await learns(
      (node) => node.client.call({ to: `0x${'1'.padStart(40, '0')}`, data }),
      (call) => call.data === pad(address),
    )
  })

  it('tracked items and what is recorded of them', async () => {
    const item = { address: testAccounts[4].address, name: 'ether', type: 'native-token-balance' }
    const { id } = await reader.rpc<{ id: string }>('dev_addTrackedData', item)
    await reader.client.sendTransaction({ to: testAccounts[4].address, value: 5n })
    await reader.client.sendTransaction({ to: testAccounts[4].address, value: 5n })
    const { values } = await reader.rpc<{ values: unknown[] }>('dev_getTrackedDataValues', id)
    expect(values).toHaveLength(2)
    await learns(
      (node) => node.rpc<{ values: unknown[] }>('dev_getTrackedDataValues', id).catch(() => ({ values: [] })),
      (history) => history.values.length === 2,
    )
  })

  it('workspaces and imports', async () => {
    await reader.rpc('dev_addWorkspace', { name: 'mine', address: testAccounts[3].address })
    const { name, abi, bytecode, deployedBytecode } = { name: 'PlainToken', ...artifacts.PlainToken }
    await reader.rpc('dev_importContracts', {
      contracts: [{ name, abi: JSON.stringify(abi), bytecode: deployedBytecode, creationBytecode: bytecode }],
    })
    await learns(
      async (node) => [await node.rpc('dev_getWorkspaces'), await node.rpc('dev_getImportedContracts')] as unknown[][],
      ([workspaces = [], imports = []]) => workspaces.length >= 1 && imports.length === 1,
    )
  })

  it('the pool, the mode and the time', async () => {
    await reader.rpc('dev_setMiningMode', 'manual')
    const hash = await reader.client.sendTransaction({ to: address, value: 1n })
    expect(await reader.rpc('txpool_status')).toMatchObject({ pending: '0x1' })
    await learns(
      (node) => node.rpc<{ pending: Hex }>('txpool_status'),
      ({ pending }) => pending === '0x1',
    )
    await reader.rpc('evm_increaseTime', 1000)
    await reader.rpc('evm_mine')
    expect(await reader.client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    await learns(
      (node) => node.rpc<{ pending: Hex }>('txpool_status'),
      ({ pending }) => pending === '0x0',
    )
    await reader.rpc('dev_setMiningMode', 'instant')
    await learns(
      (node) => node.rpc<{ mode: string }>('dev_getNetworkInfo'),
      ({ mode }) => mode === 'instant',
    )
  })

  it('a snapshot that is gone back to, a wipe', async () => {
    const token = await deployToken()
    const before = await reader.client.getBlock()
    const id = await reader.rpc('evm_snapshot')
    await reader.rpc('dev_setBalance', address, '999')
    await reader.client.sendTransaction({ to: testAccounts[3].address, value: 1n })
    await learns(
      (node) => node.client.getBlockNumber({ cacheTime: 0 }),
      (number) => number > before.number,
    )
    expect(await reader.rpc('evm_revert', id)).toBe(true)
    expect(await reader.client.getBalance({ address })).not.toBe(999n)
    const head = await learns(
      (node) => node.client.getBlock(),
      ({ number }) => number === before.number,
    )
    expect(head.hash).toBe(before.hash)
    expect(await other.client.getBalance({ address })).not.toBe(999n)
    await other.rpc('mock_wipeLocalState', {})
    await eventually(
      () => reader.client.getCode({ address: token }),
      (code) => code === undefined,
    )
  })
})

describe('a subscription on a reader', () => {
  const sockets: WebSocket[] = []
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close()
  })

  async function subscribe(node: NodeProcess, ...params: unknown[]): Promise<{ result: unknown }[]> {
    const socket = new WebSocket(node.url.replace('http', 'ws'))
    sockets.push(socket)
    await new Promise((resolve) => socket.once('open', resolve))
    const heard: { result: unknown }[] = []
    const answered = new Promise<void>((resolve) =>
      socket.on('message', (data) => {
        const message = JSON.parse(String(data)) as { id?: number; params?: { result: unknown } }
        if (message.id === 1) resolve()
        else if (message.params) heard.push(message.params)
      }),
    )
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }))
    await answered
    return heard
  }

  it('hears of every block in its order, of transactions, of changes, and of what is recorded', async () => {
    const heads = await subscribe(reader, 'newHeads')
    const pending = await subscribe(reader, 'newPendingTransactions')
    const changes = await subscribe(reader, 'dev_changes')
    const { id } = await other.rpc<{ id: string }>('dev_addTrackedData', {
      address: testAccounts[3].address,
      name: 'heard',
      type: 'native-token-balance',
    })
    await eventually(
      () => reader.rpc<{ id: string }[]>('dev_getTrackedData'),
      (items) => items.some((item) => item.id === id),
    )
    const recorded = await subscribe(reader, 'dev_tracked', { id })
    const hashes: Hex[] = []
    for (let count = 0; count < 10; count++)
      hashes.push(await other.client.sendTransaction({ to: testAccounts[3].address, value: 1n }))
    await eventually(
      async () => heads.length,
      (count) => count === 10,
    )
    const numbers = heads.map(({ result }) => Number((result as { number: Hex }).number))
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] as number) + index))
    expect(pending.map(({ result }) => result)).toEqual(hashes)
    await eventually(
      async () => recorded.length,
      (count) => count === 10,
    )
    await eventually(
      async () => changes.map(({ result }) => (result as { method: string }).method),
      (methods) => methods.includes('dev_addTrackedData'),
    )
  })

  it('hears of logs, and of those that are taken back', async () => {
    const heads = await subscribe(reader, 'newHeads')
    const token = await deployContract(other.client, artifacts.PlainToken, ['Test', 'TST', 1000n])
    const deployedIn = await other.client.getBlockNumber({ cacheTime: 0 })
    // A block can be read before it is announced, and this one has a log of the token.
    await eventually(
      async () => heads.map(({ result }) => BigInt((result as { number: Hex }).number)),
      (numbers) => numbers.includes(deployedIn),
    )
    expect(await reader.client.getCode({ address: token })).toBeDefined()
    const logs = await subscribe(reader, 'logs', { address: token })
    const id = await other.rpc('evm_snapshot')
    const data = encodeFunctionData({ abi: artifacts.PlainToken.abi, functionName: 'transfer', args: [address, 5n] })
    await other.client.sendTransaction({ to: token, data })
    await eventually(
      async () => logs.length,
      (count) => count === 1,
    )
    await other.rpc('evm_revert', id)
    await eventually(
      async () => logs.map(({ result }) => (result as { removed: boolean }).removed),
      (removed) => removed.length === 2 && removed[1] === true,
    )
  })
})

describe('when the one that seals ends', () => {
  it('the next one has a branch that was rolled back to before it began', async () => {
    for (const wei of ['1', '2', '3']) {
      await sealer.rpc('dev_setBalance', address, wei)
      await sealer.rpc('evm_mine')
    }
    await sealer.rpc('dev_createBranch', { name: 'cut' })
    const onBranch = async (node: NodeProcess, method: string, ...params: unknown[]) =>
      (await connectClient(`${node.url}/n/cut`)).request({ method, params } as never, { retryCount: 0 })
    await onBranch(sealer, 'anvil_rollback', 2)
    const read = async (node: NodeProcess) => [
      await onBranch(node, 'eth_getBlockByNumber', 'latest', false),
      await onBranch(node, 'eth_getBalance', address, 'latest'),
    ]
    const before = await read(sealer)
    expect(before[1]).toBe('0x1')
    sealer.signal('SIGTERM')
    await sealer.ended
    const next = await eventually(
      async () => {
        for (const node of [reader, other]) if ((await node.status()).role === 'sealer') return node
        return undefined
      },
      (node) => node !== undefined,
    )
    expect(await read(next as NodeProcess)).toEqual(before)
    ;[sealer, reader, other] = [
      next as NodeProcess,
      next === reader ? other : reader,
      await startNode(location, anvil, directory),
    ]
    await sealer.rpc('dev_removeBranch', 'cut')
  }, 60_000)
})
