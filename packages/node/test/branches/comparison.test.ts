import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  requireSuccess,
  startAnvil,
  type TestClient,
} from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex, pad } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { localContract } from '../localContracts.ts'
import { openSocket } from '../rawSocket.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Branch = { name: string; url: string }
type Comparison = {
  blocks: { common: Hex; a: Hex; b: Hex }
  overrides: { a: unknown; b: unknown }[]
  items: { address: Address; field: string; slot: Hex | null; variables: string[]; a: string; b: string }[]
  next: string | null
}

let anvil: Anvil
let network: TestNetwork
let counter: Address

const { abi } = artifacts.Counter
const stranger = pad('0xa1', { size: 20 })
const followed = pad('0xf1', { size: 20 })
const rpc = <T = unknown>(client: Pick<TestClient, 'request'>, method: string, ...params: unknown[]): Promise<T> =>
  client.request({ method, params } as never, { retryCount: 0 }) as Promise<T>
const branchClient = async (name: string, parent = network.client) =>
  connectClient((await rpc<Branch>(parent, 'dev_createBranch', { name })).url)
const count = (client: TestClient) => client.readContract({ address: counter, abi, functionName: 'number' })
const increment = async (client: TestClient) =>
  requireSuccess(client, await client.writeContract({ address: counter, abi, functionName: 'increment' }))
const compare = (...params: unknown[]) => network.rpc<Comparison>('dev_compareBranches', ...params)
const promote = (branch: string) =>
  network.rpc<{ undo: Hex; accounts: number; slots: number }>('dev_promoteBranch', branch)

beforeAll(async () => {
  anvil = await startAnvil()
  const live = await connectClient(anvil.url)
  counter = await deployContract(live, artifacts.Counter, [5n])
  await live.setBalance({ address: stranger, value: 3n })
})
afterAll(() => anvil?.stop())
beforeEach(async () => {
  network = await startNetwork({ forkUrls: [anvil.url], followHead: false })
})
afterEach(() => network?.stop())

it('compares accounts, slots, blocks and overrides', async () => {
  await network.rpc('dev_importContracts', {
    contracts: [localContract('Counter', { ...artifacts.Counter, storageLayout })],
  })
  const own = await deployContract(network.client, artifacts.Counter, [1n])
  await increment(network.client)
  const common = await network.client.getBlockNumber()
  const client = await branchClient('compared')
  expect(await compare('compared')).toEqual({
    blocks: { common: hex(common), a: hex(common), b: hex(common) },
    overrides: [],
    overrideCount: 0,
    items: [],
    next: null,
  })
  await increment(client)
  await increment(client)
  await increment(network.client)
  await rpc(client, 'dev_setStorageAt', own, '0x0', pad('0x2'))
  await rpc(client, 'dev_setBalance', stranger, '9')
  await rpc(client, 'dev_setBalance', stranger, '3')
  await rpc(network.client, 'dev_setBalance', followed, '4')
  await rpc(client, 'dev_addFunctionOverride', {
    contractAddress: counter,
    functionAbi: 'function number() view returns (uint256)',
    returnValues: ['1'],
  })
  const found = await compare('compared', null)
  expect(found.blocks).toEqual({ common: hex(common), a: hex(common + 2n), b: hex(common + 1n) })
  expect(found.overrides).toEqual([{ a: expect.objectContaining({ contractAddress: counter }), b: null }])
  const slot = pad('0x0')
  const differing = found.items.map(({ address, field, slot, variables }) => [address, field, slot, ...variables])
  expect(differing).toContainEqual([own, 'storage', slot, 'number'])
  expect(differing).toContainEqual([followed, 'balance', null])
  expect(differing).toContainEqual([network.client.account.address.toLowerCase(), 'nonce', null])
  // It was written, and is what the live chain has.
  expect(differing).not.toContainEqual([stranger, 'balance', null])
  expect(found.items.find((item) => item.address === counter && item.slot === slot)).toMatchObject({
    a: pad('0x8'),
    b: pad('0x7'),
  })

  const pages: unknown[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Comparison = await compare('compared', null, { limit: 1, ...(cursor && { cursor }) })
    pages.push(...page.items)
    cursor = page.next
  }
  expect(pages).toEqual(found.items)
  const mirrored = await rpc<Comparison>(client, 'dev_compareBranches', 'compared')
  expect([mirrored.items, mirrored.overrides]).toEqual([[], []])
  await expect(compare('compared', null, { cursor: 'x' })).rejects.toThrow(/cursor/)
  await expect(compare('nobody')).rejects.toThrow(/no branch is named nobody/)
})

it('promotes a branch of a branch, as one change that can be undone', async () => {
  await increment(network.client)
  let parent = await branchClient('parent')
  const child = await branchClient('child', parent)
  const [height, before] = [await parent.getBlockNumber(), await count(parent)]
  const created = await deployContract(child, artifacts.Counter, [77n])
  await increment(child)
  await rpc(child, 'dev_setBalance', stranger, '42')
  await rpc(child, 'dev_followAccount', followed)
  const sender = child.account.address
  await rpc(parent, 'evm_setAutomine', false)
  const pending = [hex(BigInt(await child.getTransactionCount({ address: sender })) - 1n), '0x100']
  for (const nonce of pending) await rpc(parent, 'eth_sendTransaction', { from: sender, to: stranger, nonce })
  const socket = await openSocket(`${network.url}/n/parent`)
  const changes = await socket.request<string>('eth_subscribe', 'dev_changes')
  // What the parent alone wrote is given up.
  await rpc(parent, 'dev_setStorageAt', counter, '0x5', pad('0x9'))
  await rpc(parent, 'dev_setBalance', pad('0xb2', { size: 20 }), '8')
  const { undo, ...promoted } = await promote('child')
  expect(promoted).toMatchObject({ parent: 'parent' })
  await expect.poll(() => socket.notified(changes)).toContainEqual({ method: 'dev_promoteBranch' })
  await socket.close()
  expect(await rpc(parent, 'txpool_status')).toEqual({ pending: '0x0', queued: '0x1' })
  await rpc(parent, 'anvil_dropAllTransactions')
  await rpc(parent, 'evm_setAutomine', true)
  expect(await compare('child', 'parent')).toMatchObject({ items: [], overrides: [] })
  expect(await parent.getBlockNumber()).toBe(height)
  expect([await count(parent), await parent.getBalance({ address: stranger })]).toEqual([before + 1n, 42n])
  expect(await parent.getBalance({ address: pad('0xb2', { size: 20 }) })).toBe(0n)
  expect(await parent.readContract({ address: created, abi, functionName: 'number' })).toBe(77n)
  expect(await parent.getCode({ address: created })).toBe(await child.getCode({ address: created }))
  expect(await rpc(parent, 'dev_getFollowed')).toEqual(await rpc(child, 'dev_getFollowed'))
  expect(await rpc(parent, 'dev_getSlotHistory', counter, '0x0')).toMatchObject({
    items: [{ cause: 'promoteBranch', transaction: null }, { cause: 'transaction' }],
  })
  await increment(parent)
  await increment(child)
  expect(await count(child)).toBe(await count(parent))
  expect(await count(network.client)).toBe(before)

  await network.restart()
  parent = await connectClient(`${network.url}/n/parent`)
  expect(await rpc(parent, 'evm_revert', undo)).toBe(true)
  expect([await count(parent), await parent.getBlockNumber()]).toEqual([before, height])
  expect(await rpc(parent, 'eth_getStorageAt', counter, '0x5', 'latest')).toBe(pad('0x9'))
  expect(await parent.getCode({ address: created })).toBeUndefined()
  expect(await rpc(parent, 'dev_getFollowed')).toEqual(await network.rpc('dev_getFollowed'))
})

it('promotes a branch that was wiped, or whose parent was reverted, to the network', async () => {
  const snapshot = await network.rpc<Hex>('evm_snapshot')
  await increment(network.client)
  const reverted = await branchClient('reverted')
  await network.rpc('evm_revert', snapshot)
  const wiped = await branchClient('wiped')
  await rpc(wiped, 'mock_wipeLocalState')
  const values = [await count(reverted), await count(network.client), await count(wiped)]
  const { undo } = await promote('wiped')
  expect(await compare('wiped')).toMatchObject({ items: [] })
  expect(await count(network.client)).toBe(values[2])
  await promote('reverted')
  expect(await compare('reverted')).toMatchObject({ items: [] })
  expect(await count(network.client)).toBe(values[0])
  await network.rpc('evm_revert', undo)
  expect(await count(network.client)).toBe(values[1])
})

it('promotes while both networks seal', async () => {
  const client = await branchClient('busy')
  const rounds = Array.from({ length: 5 }, (_, index) => index)
  const { address } = network.client.account
  const data = encodeFunctionData({ abi, functionName: 'increment' })
  const work = async (each: TestClient) => {
    for (const _ of rounds) await rpc(each, 'eth_sendTransaction', { from: address, to: counter, data })
    await each.mine({ blocks: 1 })
  }
  const promotions = async () => {
    for (const _ of rounds) await promote('busy')
  }
  await Promise.all([work(network.client), work(client), promotions()])
  await promote('busy')
  expect(await compare('busy')).toMatchObject({ items: [] })
  expect(await count(network.client)).toBe(await count(client))
})

const storageLayout = {
  storage: [{ label: 'number', slot: '0', offset: 0, type: 't_uint256' }],
  types: { t_uint256: { encoding: 'inplace', label: 'uint256', numberOfBytes: '32' } },
}
const hex = (value: bigint): Hex => `0x${value.toString(16)}`
