import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, connectClient, startAnvil, testAccounts } from '@understudy/testkit'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

const [first, second, third] = testAccounts.map(({ address }) => address) as [string, string, string]
const contract = '0x00000000000000000000000000000000000000aa'
const coinbase = '0x00000000000000000000000000000000000000cc'
const slot = `0x${'0'.repeat(64)}`
const timestamp = 1_700_000_000

const genesis = {
  config: { chainId: 777, homesteadBlock: 0 },
  nonce: '0x0',
  timestamp: `0x${timestamp.toString(16)}`,
  extraData: '0x1234',
  gasLimit: '0x47b760',
  difficulty: '0x0',
  mixHash: slot,
  coinbase,
  baseFeePerGas: '0x77359400',
  alloc: {
    // Returns slot 0, or stores the input there.
    [contract.slice(2)]: {
      balance: '100',
      nonce: '0x5',
      code: '0x3615600d5760003560005500005b60005460005260206000f3',
      storage: { [slot]: `0x${'2a'.padStart(64, '0')}` },
    },
    [first]: { balance: '0x8ac7230489e80000' },
    [second]: { balance: '7' },
  },
}

let directory: string
let file: string
let network: TestNetwork | undefined
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-init-'))
  file = join(directory, 'genesis.json')
})
afterEach(async () => {
  await network?.stop()
  network = undefined
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const write = (content: unknown) => writeFileSync(file, JSON.stringify(content))

type Ask = (method: string, ...params: unknown[]) => Promise<unknown>
const ours: Ask = (method, ...params) => (network as TestNetwork).rpc(method, ...params)

async function stateOf(ask: Ask) {
  return {
    chainId: await ask('eth_chainId'),
    number: await ask('eth_blockNumber'),
    balances: await Promise.all(
      [contract, first, second, third, coinbase].map((each) => ask('eth_getBalance', each, 'latest')),
    ),
    nonces: await Promise.all([contract, first].map((each) => ask('eth_getTransactionCount', each, 'latest'))),
    code: await ask('eth_getCode', contract, 'latest'),
    storage: await Promise.all(['0x0', '0x1'].map((each) => ask('eth_getStorageAt', contract, each, 'latest'))),
    called: await ask('eth_call', { to: contract }, 'latest'),
  }
}

async function blockOf(ask: Ask, number: string) {
  const block = (await ask('eth_getBlockByNumber', number, false)) as Record<string, unknown>
  return { timestamp: block.timestamp, baseFeePerGas: block.baseFeePerGas, miner: block.miner }
}

const writeSlot = { from: first, to: contract, gas: '0x30d40', data: `0x${'7'.padStart(64, '0')}` }

it('begins as anvil does with the same file, and goes on as it does', async () => {
  write(genesis)
  const anvil: Anvil = await startAnvil({ args: ['--init', file] })
  try {
    const theirs: Ask = (method, ...params) => anvil.rpc(method, params)
    network = await startNetwork({ init: file })
    const begun = await stateOf(ours)
    expect(begun).toEqual(await stateOf(theirs))
    expect(begun).toMatchObject({ chainId: '0x309', storage: [expect.stringMatching(/2a$/), slot] })
    expect(await blockOf(ours, '0x0')).toEqual(await blockOf(theirs, '0x0'))
    expect(await blockOf(ours, '0x0')).toEqual({
      timestamp: genesis.timestamp,
      baseFeePerGas: genesis.baseFeePerGas,
      miner: coinbase,
    })

    for (const ask of [ours, theirs]) {
      // anvil's own accounts sign for its usual chain id, whatever the file says.
      await ask('anvil_impersonateAccount', first)
      const hash = await ask('eth_sendTransaction', writeSlot)
      // anvil answers before the transaction is in a block.
      const receipt = await eventually(() => ask('eth_getTransactionReceipt', hash), Boolean)
      expect(receipt).toMatchObject({ status: '0x1' })
    }
    expect((await stateOf(ours)).called).toBe(`0x${'7'.padStart(64, '0')}`)
    expect((await stateOf(ours)).called).toBe((await stateOf(theirs)).called)
    const [our, their] = await Promise.all([ours, theirs].map((ask) => blockOf(ask, '0x1')))
    expect(our?.miner).toBe(their?.miner)
    // anvil gives blocks of one second the same time.
    expect(Number(their?.timestamp)).toBeGreaterThanOrEqual(timestamp)
    expect(Number(our?.timestamp)).toBeGreaterThan(timestamp)
    for (const block of [our, their]) expect(Number(block?.timestamp)).toBeLessThan(timestamp + 600)

    for (const ask of [ours, theirs]) await ask('anvil_reset')
    expect(await stateOf(ours)).toEqual(begun)
    expect(await stateOf(theirs)).toEqual(begun)
  } finally {
    await anvil.stop()
  }
})

it('keeps what it began with in restarts without the file, wipes, reverts, branches and resets', async () => {
  write(genesis)
  network = await startNetwork({ init: file, balance: 3n })
  const begun = await stateOf(ours)
  expect(begun.balances[3]).toBe('0x3')
  const snapshot = await ours('evm_snapshot')
  await ours('eth_sendTransaction', writeSlot)
  expect((await stateOf(ours)).called).not.toBe(begun.called)
  rmSync(file)
  await network.restart({ init: undefined })
  expect((await stateOf(ours)).called).toBe(`0x${'7'.padStart(64, '0')}`)
  await ours('evm_revert', snapshot)
  expect(await stateOf(ours)).toEqual(begun)

  const branch = (await ours('dev_createBranch', { name: 'other' })) as { url: string }
  const client = await connectClient(branch.url)
  const onBranch: Ask = (method, ...params) => client.request({ method, params } as never)
  expect(await stateOf(onBranch)).toEqual(begun)
  await ours('dev_removeBranch', 'other')

  await ours('eth_sendTransaction', writeSlot)
  await ours('mock_wipeLocalState')
  const { number: _, ...wiped } = await stateOf(ours)
  expect(wiped).toEqual((({ number: _, ...rest }) => rest)(begun))

  await ours('anvil_reset')
  expect(await stateOf(ours)).toEqual(begun)
  await ours('evm_mine')
  expect(Number((await blockOf(ours, '0x1')).timestamp)).toBeLessThan(timestamp + 600)
  await network.restart({ init: undefined })
  expect({ ...(await stateOf(ours)), number: '0x0' }).toEqual(begun)
})

it('lets --chain-id and --timestamp win, and begins now without a time', async () => {
  write(genesis)
  network = await startNetwork({ init: file, chainId: 5, timestamp: 1_800_000_000 })
  expect(await ours('eth_chainId')).toBe('0x5')
  expect(Number((await blockOf(ours, '0x0')).timestamp)).toBe(1_800_000_000)
  await network.stop()
  write({ alloc: {} })
  const before = Math.floor(Date.now() / 1000)
  network = await startNetwork({ init: file })
  expect(await ours('eth_chainId')).toBe('0x7a69')
  expect(Number((await blockOf(ours, '0x0')).timestamp)).toBeGreaterThanOrEqual(before - 60)
})

it('refuses a file that says something else than the stored one, and not one that says the same', async () => {
  write(genesis)
  network = await startNetwork({ init: file })
  writeFileSync(file, JSON.stringify({ ...genesis, baseFeePerGas: 2_000_000_000, extraData: '0x' }, null, 2))
  await network.restart()
  write({ ...genesis, alloc: {} })
  await expect(network.restart()).rejects.toThrow('one that begins as the file of --init says now')
  write(genesis)
  await network.restart()
})

it.each([
  [
    'a fork',
    { forkUrls: ['http://127.0.0.1:1'] },
    'init: only a network that forks nothing begins with a genesis file',
  ],
])('refuses the file with %s', async (_, options, message) => {
  await expect(startNetwork({ init: file, ...options })).rejects.toThrow(message)
})

it.each([
  ['no JSON', '{', 'JSON'],
  ['a list', [], 'expected an object'],
  ['an address', { alloc: { '0x12': {} } }, 'alloc.0x12: expected an address of 20 bytes in hex'],
  ['the same address twice', { alloc: { [contract]: {}, [contract.slice(2)]: {} } }, 'expected each key once'],
  [
    'a balance',
    { alloc: { [contract]: { balance: '-1' } } },
    `alloc.${contract}.balance: expected a number below 2^256`,
  ],
  [
    'a great balance',
    { alloc: { [contract]: { balance: `0x1${'0'.repeat(64)}` } } },
    'balance: expected a number below 2^256',
  ],
  ['a nonce', { alloc: { [contract]: { nonce: '0x10000000000000000' } } }, 'nonce: expected a number below 2^64'],
  ['code', { alloc: { [contract]: { code: '0x1' } } }, 'code: expected code in 0x-hex'],
  ['a slot', { alloc: { [contract]: { storage: { zz: '0x1' } } } }, 'storage.zz: expected at most 32 bytes in hex'],
  ['a value', { alloc: { [contract]: { storage: { '0x1': 1 } } } }, 'storage.0x1: expected at most 32 bytes in hex'],
  ['an unknown field', { alloc: { [contract]: { balanse: '1' } } }, 'balance'],
  ['a chain id', { config: { chainId: 0 } }, 'config.chainId: expected a chain id of at least 1'],
  ['a time', { timestamp: 'now' }, 'timestamp: expected seconds since 1970'],
  ['a coinbase', { coinbase: '0x1' }, 'coinbase: expected an address'],
])('refuses %s in a file, and names the file and the field', async (_, content, message) => {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  const problem = await startNetwork({ init: file }).catch((error: Error) => error.message)
  expect(problem).toContain(`--init ${file}`)
  expect(problem).toContain(message)
})

it('refuses a file that is missing or too large', async () => {
  await expect(startNetwork({ init: join(directory, 'none.json') })).rejects.toThrow('ENOENT')
  await expect(startNetwork({ init: directory })).rejects.toThrow(directory)
  writeFileSync(file, ' '.repeat(64 * 1024 * 1024 + 1))
  await expect(startNetwork({ init: file })).rejects.toThrow('expected at most 67108864 bytes, got 67108865')
})
