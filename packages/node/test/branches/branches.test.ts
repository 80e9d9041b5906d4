import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  postJsonRpc,
  requireSuccess,
  startAnvil,
  type TestClient,
} from '@understudy/testkit'
import { sql } from 'kysely'
import { type Address, createPublicClient, type Hex, http, numberToHex, pad, webSocket } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { blockHashes } from '../../src/ethereum/systemRings.ts'
import { branchTables } from '../../src/storage/branches/layers.ts'
import { openDatabase } from '../../src/storage/openDatabase.ts'
import { allRowsOf } from '../../src/storage/tables.ts'
import { openSocket } from '../rawSocket.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'
import { isInDatabase } from '../testDatabase.ts'

type Branch = { id: string; name: string; url: string; wsUrl: string; parent: string | null; blockNumber: Hex }

let anvil: Anvil
let live: TestClient
let network: TestNetwork
let counter: Address

const { abi } = artifacts.Counter
const stranger = '0x00000000000000000000000000000000000000a1'

const rpc = <T = unknown>(client: Pick<TestClient, 'request'>, method: string, ...params: unknown[]): Promise<T> =>
  client.request({ method, params } as never, { retryCount: 0 }) as Promise<T>
const branch = (input: object = {}, client = network.client) => rpc<Branch>(client, 'dev_createBranch', input)
const branchClient = async (input: object = {}, parent = network.client) =>
  connectClient((await branch(input, parent)).url)
const count = (client: TestClient, blockNumber?: bigint) =>
  client.readContract({ address: counter, abi, functionName: 'number', ...(blockNumber && { blockNumber }) })
const increment = async (client: TestClient) =>
  requireSuccess(client, await client.writeContract({ address: counter, abi, functionName: 'increment' }))
const names = async () => (await network.rpc<Branch[]>('dev_getBranches')).map(({ name }) => name)

beforeAll(async () => {
  anvil = await startAnvil()
  live = await connectClient(anvil.url)
  counter = await deployContract(live, artifacts.Counter, [5n])
  network = await startNetwork({
    forkUrls: [anvil.url],
    branchDiskLimit: 1,
    callGasLimit: '100000000000',
    callTimeout: 60,
  })
})
afterAll(async () => {
  await network?.stop()
  await anvil?.stop()
})

it('begins with everything of its parent, and neither notices the other', async () => {
  const stranger = '0x00000000000000000000000000000000000000a2'
  const start = await count(network.client)
  const receipt = await increment(network.client)
  await network.rpc('dev_setBalance', stranger, '7')
  await network.rpc('dev_followAccount', '0x00000000000000000000000000000000000000f1')
  await network.rpc('dev_addTrackedData', {
    address: counter,
    name: 'count',
    type: 'function-result',
    functionAbi: 'function number() view returns (uint256)',
    recordTrigger: 'every-tx',
  })
  await network.rpc('dev_addWorkspace', { name: 'Stranger', address: stranger })
  const made = await branch({ name: 'feature/x' })
  expect(made).toMatchObject({ name: 'feature/x', url: `${network.url}/n/feature%2Fx`, parent: null })
  const client = await connectClient(made.url)
  expect([await count(client), await client.getBalance({ address: stranger })]).toEqual([start + 1n, 7n])
  expect(await client.getTransactionReceipt({ hash: receipt.transactionHash })).toEqual(receipt)
  const logs = { address: counter, fromBlock: receipt.blockNumber, toBlock: 'latest' } as const
  expect(await client.getLogs(logs)).toEqual(await network.client.getLogs(logs))
  for (const method of [
    'dev_getFollowed',
    'dev_getTrackedData',
    'dev_getWorkspaces',
    'dev_getLocalState',
    'dev_getDrift',
  ])
    expect({ method, answer: await rpc(client, method) }).toEqual({ method, answer: await network.rpc(method) })

  await increment(client)
  await increment(client)
  await increment(network.client)
  await rpc(client, 'dev_setBalance', stranger, '9')
  expect([await count(client), await count(network.client)]).toEqual([start + 3n, start + 2n])
  expect(await client.getBalance({ address: stranger })).toBe(9n)
  expect(await network.client.getBalance({ address: stranger })).toBe(7n)
  expect(await count(client, receipt.blockNumber)).toBe(start + 1n)
  const { hash } = await client.getBlock()
  expect(await network.rpc('eth_getBlockByHash', hash, false)).toBeNull()
  const history = await rpc<{ items: { cause: string; after: Hex }[] }>(client, 'dev_getSlotHistory', counter, '0x0')
  expect(history.items.slice(0, 3).map(({ after }) => BigInt(after) - start)).toEqual([3n, 2n, 1n])
})

it('begins at a block of the past, as reads at that block are', async () => {
  const { blockNumber: first } = await increment(network.client)
  await network.rpc('dev_setBalance', stranger, '11')
  await network.client.mine({ blocks: 1200 })
  await increment(network.client)
  const inRun = await branchClient({ at: `0x${(first + 500n).toString(16)}` })
  expect(await inRun.getBlockNumber()).toBe(first + 500n)
  expect(await inRun.getBlock()).toEqual(await network.client.getBlock({ blockNumber: first + 500n }))
  const client = await branchClient({ at: `0x${first.toString(16)}` })
  expect(await client.getBlockNumber()).toBe(first)
  expect(await client.getBalance({ address: stranger })).toBe(11n)
  expect(await count(client)).toBe((await count(network.client)) - 1n)
  const { blockNumber } = await increment(client)
  expect(blockNumber).toBe(first + 1n)
  const { hash } = await network.client.getBlock({ blockNumber: first + 1n })
  expect((await client.getBlock()).hash).not.toBe(hash)
  await expect(branch({ at: '0x0' })).rejects.toThrow(/block 0 is of the live chain/)
  await expect(branch({ at: '0xffffff' })).rejects.toThrow(/does not exist/)
})

it('keeps the empty blocks of which its parent reverts a part', async () => {
  await network.client.mine({ blocks: 1500 })
  const head = await network.client.getBlock()
  const client = await branchClient({})
  const first = head.number - 1400n
  const blocks = () =>
    Promise.all(
      [first, head.number - 701n, head.number - 700n, head.number - 699n, head.number].map((blockNumber) =>
        client.getBlock({ blockNumber }),
      ),
    )
  const before = await blocks()
  await network.rpc('anvil_rollback', 700)
  await network.client.mine({ blocks: 1100 })
  expect(await blocks()).toEqual(before)
  expect(await network.client.getBlock({ blockNumber: head.number - 700n })).toEqual(before[2])
  expect((await network.client.getBlock({ blockNumber: head.number })).number).toBe(head.number)
  for (const { hash, number, parentHash } of before) {
    expect((await client.getBlock({ blockHash: hash })).number).toBe(number)
    const slot = pad(numberToHex((number - 1n) % 8191n))
    expect(await client.getStorageAt({ address: blockHashes, slot, blockNumber: number })).toBe(parentHash)
  }
})

it('keeps what its parent reverts, wipes and resets, in branches of branches too', async () => {
  const snapshot = await network.rpc<Hex>('evm_snapshot')
  const before = await count(network.client)
  const receipt = await increment(network.client)
  await network.client.mine({ blocks: 1100 })
  const parent = await branchClient({ name: 'parent' })
  await increment(parent)
  const child = await branchClient({ name: 'child' }, parent)
  await increment(child)
  await network.rpc('evm_revert', snapshot)
  await increment(network.client)
  await rpc(parent, 'anvil_reset')
  expect(await count(network.client)).toBe(before + 1n)
  expect(await count(parent)).toBe(5n)
  expect(await count(child)).toBe(before + 3n)
  expect(await count(child, receipt.blockNumber)).toBe(before + 1n)
  expect(await child.getTransactionReceipt({ hash: receipt.transactionHash })).toEqual(receipt)
  const inRun = await child.getBlock({ blockNumber: receipt.blockNumber + 600n })
  expect(await child.getBlock({ blockHash: inRun.hash })).toEqual(inRun)
  expect(inRun.parentHash).toBe((await child.getBlock({ blockNumber: inRun.number - 1n })).hash)
  await network.rpc('dev_removeBranch', 'parent')
  expect(await count(child)).toBe(before + 3n)
  await rpc(child, 'mock_wipeLocalState')
  expect([await count(child), await count(network.client)]).toEqual([5n, before + 1n])
})

it('keeps the samples of items that its parent removes', async () => {
  const { id } = await network.rpc<{ id: string }>('dev_addTrackedData', {
    address: stranger,
    name: 'balance',
    type: 'native-token-balance',
    recordTrigger: 'every-tx',
  })
  // Samples have the network's time.
  await network.client.increaseTime({ seconds: 3600 })
  await increment(network.client)
  const history = (of: TestClient) => rpc<{ values: object[] }>(of, 'dev_getTrackedDataValues', id)
  // Items are sampled after the block.
  await eventually(
    () => history(network.client),
    ({ values }) => values.length > 0,
  )
  const client = await branchClient({ name: 'samples' })
  const child = await branchClient({ name: 'samples-below' }, client)
  const before = await history(client)
  expect(before.values).not.toEqual([])
  await network.rpc('dev_removeTrackedData', id)
  // Without values, the period is the time of the question.
  expect((await history(client)).values).toEqual(before.values)
  const other = { address: counter, name: 'other', type: 'native-token-balance', recordTrigger: 'every-tx' }
  const apart = await branchClient({ name: 'samples-apart' }, client)
  await rpc(apart, 'dev_removeTrackedData', id)
  const added = await rpc<{ id: string }>(apart, 'dev_addTrackedData', other)
  await increment(apart)
  expect(await rpc(apart, 'dev_getTrackedDataValues', added.id)).toMatchObject({ values: [{}] })
  await rpc(client, 'dev_removeTrackedData', id)
  expect((await history(child)).values).toEqual(before.values)
})

it('follows the live chain, and announces its blocks by WebSocket', async () => {
  const made = await branch({ name: 'live' })
  const client = createPublicClient({ transport: webSocket(made.wsUrl) })
  const seen: bigint[] = []
  const stop = client.watchBlockNumber({ onBlockNumber: (number) => seen.push(number) })
  const untouched = '0x00000000000000000000000000000000000000e7'
  await live.setBalance({ address: untouched, value: 3n })
  // The subscription may begin after the first block.
  await eventually(
    async () => {
      await live.mine({ blocks: 1 })
      return seen.length
    },
    (length) => length > 0,
  )
  await eventually(
    () => client.getBalance({ address: untouched }),
    (balance) => balance === 3n,
  )
  stop()
  ;(await client.transport.getRpcClient()).close()
  await expect(
    createPublicClient({
      transport: webSocket(`${network.url.replace('http', 'ws')}/n/nobody`, { reconnect: false, retryCount: 0 }),
    }).getBlockNumber(),
  ).rejects.toThrow()
})

it('asks the live chain for a tip no more often than its network does', async () => {
  const asked = async () => {
    const { methods } = await network.rpc<{ methods: Record<string, { calls: number }> }>('dev_getUpstreamUsage')
    return methods.eth_maxPriorityFeePerGas?.calls ?? 0
  }
  await increment(network.client)
  const [before, start] = [await asked(), performance.now()]
  for (let made = 0; made < 8; made++) await increment(await branchClient())
  // A suggestion holds for five seconds.
  expect((await asked()) - before).toBeLessThanOrEqual(Math.ceil((performance.now() - start) / 5000))
})

it('has a name, an id and an end', async () => {
  const made = await branch({ name: '1234/job.7' })
  await expect(branch({ name: '1234/job.7' })).rejects.toThrow(/already a branch with the name 1234\/job\.7/)
  await expect(branch({ name: 'a b' })).rejects.toThrow(/params\[0\]\.name/)
  await expect(branch({ ttl: 1, expiresAt: '2999-01-01T00:00:00Z' })).rejects.toThrow(/either ttl or expiresAt/)
  await expect(branch({ expiresAt: '2020-01-01T00:00:00Z' })).rejects.toThrow(/in the past/)
  const renamed = await network.rpc<Branch>('dev_renameBranch', made.id, 'renamed')
  expect(renamed.url).toBe(`${network.url}/n/renamed`)
  for (const url of [renamed.url, `${renamed.url}/`, `${network.url}/n/${made.id}`])
    expect(await (await connectClient(url)).getBlockNumber()).toBe(BigInt(made.blockNumber))
  await network.rpc('dev_removeBranch', 'renamed')
  await expect(network.rpc('dev_removeBranch', 'renamed')).rejects.toThrow(/no branch is named renamed/)
  await branch({ name: 'short', ttl: 1 })
  expect(await names()).toContain('short')
  await eventually(names, (found) => !found.includes('short'))
  const gone = await fetch(`${network.url}/n/short`, {
    method: 'POST',
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}',
  })
  expect([gone.status, await gone.json()]).toMatchObject([404, { error: { code: -32001 } }])
})

it('is there after a restart', async () => {
  const client = await branchClient({ name: 'lasting' })
  await increment(client)
  const [number, balance] = [await count(client), await client.getBlockNumber()]
  await network.restart()
  const { url } = (await network.rpc<Branch[]>('dev_getBranches')).find(({ name }) => name === 'lasting') as Branch
  const again = await connectClient(url)
  expect([await count(again), await again.getBlockNumber()]).toEqual([number, balance])
  await increment(again)
  expect(await count(again)).toBe(number + 1n)
})

it('writes as much as it may, and is read beyond', async () => {
  let client = await branchClient({ name: 'large' })
  const write = (count: number, of = client) =>
    rpc(of, 'dev_setCode', stranger, `0x${count.toString(16).padStart(4, '0').repeat(12_000)}`)
  const writeAll = async () => {
    for (let count = 1; count <= 60; count++) await write(count)
  }
  await expect(writeAll()).rejects.toThrow(/written 1 MB/)
  await expect(rpc(client, 'evm_mine')).rejects.toThrow(/written 1 MB/)
  await write(1, network.client)
  await write(1, await branchClient({}, client))
  await network.restart()
  client = await connectClient(`${network.url}/n/large`)
  await expect(write(1)).rejects.toThrow(/written 1 MB/)
  expect((await client.getCode({ address: stranger }))?.length).toBe(48_002)
  await network.rpc('dev_removeBranch', 'large')
})

it('leaves no rows when it and its branches are removed', async () => {
  await network.rpc('dev_createBranch', { name: 'below' })
  const below = (await network.rpc<Branch[]>('dev_getBranches')).find(({ name }) => name === 'below') as Branch
  const parent = await connectClient(below.url)
  await parent.mine({ blocks: 1500 })
  const child = await branchClient({ name: 'above' }, parent)
  await increment(child)
  for (const name of await names()) await network.rpc('dev_removeBranch', name)
  await network.node.stop()
  const database = await openDatabase(network.location)
  try {
    expect(await database.queries.selectFrom('branches').selectAll().execute()).toEqual([])
    for (const name of branchTables) {
      const rows = await sql`select 1 from ${allRowsOf(name)} where branch <> 0`.execute(database.queries)
      expect({ name, rows: rows.rows.length }).toEqual({ name, rows: 0 })
    }
  } finally {
    await database.close()
  }
  await network.restart()
})

it('needs a key where its network does', async () => {
  const locked = await startNetwork({
    forkUrls: [anvil.url],
    apiKeys: ['admin-key-of-the-test:admin', 'read-key-of-the-test:read'],
  })
  try {
    const { url } = await branch({ name: 'locked' }, locked.client)
    const ask = (path: string) => createPublicClient({ transport: http(`${url}${path}`, { retryCount: 0 }) })
    expect(await ask('/rpc/read-key-of-the-test').getBlockNumber()).toBeGreaterThan(0n)
    await expect(ask('').getBlockNumber()).rejects.toThrow()
    const set = { method: 'dev_setBalance', params: [stranger, '1'] } as never
    await expect(ask('/rpc/read-key-of-the-test').request(set)).rejects.toThrow(/admin/)
    await ask('/rpc/admin-key-of-the-test').request(set)
  } finally {
    await locked.stop()
  }
})

/** Runs until its time is spent: `loop: jump(loop)`. */
const endless = () => [{ to: stranger, gas: '0xffffffffff' }, 'latest', { [stranger]: { code: '0x5b600056' } }]
const gone = { data: { kind: 'BRANCH_NOT_FOUND' } }

it('ends with everybody who uses it', async () => {
  const made = await branch({ name: 'used' })
  const [idle, busy] = await Promise.all([openSocket(made.url), openSocket(made.url)])
  expect(await idle.request('dev_setBalance', stranger, '5')).toMatchObject({ balance: '5' })
  // On a busy machine, the close may come before the answer of a WebSocket.
  const closed = busy.closed.then(({ code }) => (code === 4404 ? gone : code))
  const running = [
    Promise.race([busy.request('eth_call', ...endless()), closed]),
    postJsonRpc(made.url, 'eth_call', endless()),
  ].map((outcome) => outcome.catch((error) => error))
  const removing = network.rpc('dev_removeBranch', 'used')
  await eventually(
    () => idle.request('eth_blockNumber').catch((error) => error),
    (answer) => answer.data?.kind === 'BRANCH_NOT_FOUND',
  )
  // What is asked from now on has no effect, and no answer but that.
  for (const [method, ...params] of [
    ['dev_setBalance', stranger, '9'],
    ['dev_createBranch', { name: 'too late' }],
    ['eth_blockNumber'],
  ] as const)
    expect(await idle.request(method, ...params).catch((error) => error)).toMatchObject(gone)
  await removing
  for (const outcome of running) expect(await outcome).toMatchObject(gone)
  expect(await Promise.all([idle.closed, busy.closed])).toEqual([
    { code: 4404, reason: 'the branch was removed' },
    { code: 4404, reason: 'the branch was removed' },
  ])
  expect(await names()).not.toContain('too late')
})

it('is removed at its own URL, and answers that at last', async () => {
  const made = await branch({ name: 'own' })
  const socket = await openSocket(made.url)
  expect(await socket.request('dev_removeBranch', 'own')).toEqual({ removed: true })
  expect(await socket.closed).toMatchObject({ code: 4404 })
  const client = await branchClient({ name: 'own' })
  expect(await rpc(client, 'dev_removeBranch', 'own')).toEqual({ removed: true })
  await expect(rpc(client, 'eth_chainId')).rejects.toThrow()
})

// A network that several nodes share refuses another URL.
it.skipIf(isInDatabase)('ends at its time, and is closed when its network is opened anew', async () => {
  const [short, long] = [await branch({ ttl: 1 }), await branch({ name: 'long' })]
  const [ofShort, ofLong] = await Promise.all([openSocket(short.url), openSocket(long.url)])
  expect(await ofShort.closed).toMatchObject({ code: 4404 })
  expect(await ofLong.request('dev_setBalance', stranger, '5')).toMatchObject({ balance: '5' })
  await network.rpc('anvil_setRpcUrl', anvil.url)
  expect(await ofLong.closed).toMatchObject({ code: 1012 })
  const again = await openSocket(long.url)
  expect(await again.request('eth_getBalance', stranger, 'latest')).toBe('0x5')
  await again.close()
  await network.rpc('dev_removeBranch', 'long')
})

it('has a label for people, which a new name keeps, and which can be changed', async () => {
  const made = await branch({ name: 'labelled', label: 'The upgrade of March' })
  expect(made).toMatchObject({ name: 'labelled', label: 'The upgrade of March' })
  const renamed = await network.rpc('dev_renameBranch', made.id, 'renamed')
  expect(renamed).toMatchObject({ name: 'renamed', label: 'The upgrade of March' })
  await network.rpc('dev_renameBranch', made.id, 'renamed', 'The upgrade of April')
  const listed = await network.rpc<{ id: string; label: string | null }[]>('dev_getBranches')
  expect(listed.find(({ id }) => id === made.id)).toMatchObject({ label: 'The upgrade of April' })
  await expect(branch({ label: 'x'.repeat(201) })).rejects.toThrow(/label: has more than 200 characters/)
  await network.rpc('dev_removeBranch', made.id)
})
