import { type Anvil, artifacts, connectClient, deployContract, startAnvil, testAccounts } from '@understudy/testkit'
import { Contract, JsonRpcProvider } from 'ethers'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { isInDatabase } from '../testDatabase.ts'

let anvil: Anvil
let network: TestNetwork
let snapshot: unknown
const [alice, bob] = testAccounts
const code = '0x00000000000000000000000000000000000c0de0'

beforeAll(async () => {
  anvil = await startAnvil()
  const upstream = await connectClient(anvil.url)
  for (let count = 0; count < 9; count++) await upstream.mine({ blocks: 1 })
  network = await startNetwork({ forkUrls: [anvil.url], followHead: false })
  snapshot = await network.rpc('evm_snapshot')
})
afterAll(async () => {
  await network.stop()
  await anvil.stop()
})
beforeEach(async () => {
  await network.rpc('evm_revert', snapshot)
  snapshot = await network.rpc('evm_snapshot')
})

type Answer = { result?: unknown; error?: { code: number; message: string } }

/** The answer to parameters of any form. Both ways of answering have to agree. */
async function ask(method: string, params: unknown, isRead = method.startsWith('eth_')): Promise<Answer> {
  const post = async (body: object) =>
    (await fetch(network.url, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<Answer>
  const answer = await post({ jsonrpc: '2.0', id: 1, method, params })
  // What does not say which JSON-RPC it is takes the way of all methods.
  if (isRead) expect(await post({ id: 1, method, params })).toEqual(answer)
  return answer
}

describe('numbers in decimal digits', () => {
  it.each<[string, unknown[]]>([
    ['evm_increaseTime', ['10']],
    ['evm_setTime', ['1900000000']],
    ['evm_mine', ['1900000000']],
    ['evm_mine', [{ timestamp: '1900000000', blocks: '2' }]],
    ['anvil_mine', ['2', '10']],
    ['hardhat_mine', ['2', '10']],
    ['anvil_setBlockTimestampInterval', ['3']],
    ['evm_setIntervalMining', ['0']],
    ['anvil_rollback', ['0']],
    ['evm_setBlockGasLimit', ['30000000']],
    ['hardhat_setNextBlockBaseFeePerGas', ['1000000000']],
    ['anvil_setNonce', [bob.address, '7']],
    ['eth_feeHistory', ['1', 'latest', []]],
    ['eth_call', [{ from: alice.address, to: bob.address, value: '5', gas: '50000', nonce: '7' }, 'latest']],
    ['eth_getTransactionByBlockNumberAndIndex', ['latest', '0']],
  ])('are taken by %s %j', async (method, params) => {
    expect(await ask(method, params)).not.toHaveProperty('error')
    if (method === 'evm_setIntervalMining') await network.rpc('evm_setAutomine', true)
  })

  it('are the numbers that they say', async () => {
    const before = await network.client.getBlockNumber()
    await ask('evm_setNextBlockTimestamp', ['1900000000'])
    await ask('hardhat_mine', ['3'])
    expect(await network.client.getBlockNumber()).toBe(before + 3n)
    expect((await network.client.getBlock({ blockNumber: before + 1n })).timestamp).toBe(1_900_000_000n)
    const id = Number(await network.rpc<Hex>('evm_snapshot'))
    await network.client.mine({ blocks: 1 })
    expect(await ask('evm_revert', [String(id)])).toMatchObject({ result: true })
    expect(await network.client.getBlockNumber()).toBe(before + 3n)
  })

  it('are no block numbers, as in geth', async () => {
    expect((await ask('eth_getBalance', [bob.address, '1'])).error?.message).toContain(
      'expected a block number (0x-hex)',
    )
  })
})

describe('empty strings', () => {
  it('are no bytes', async () => {
    const plain = await ask('eth_call', [{ to: bob.address }])
    for (const empty of [{ data: '' }, { input: '' }, { data: '', input: '0x' }])
      for (const method of ['eth_call', 'eth_estimateGas', 'eth_createAccessList', 'eth_sendTransaction'])
        expect(await ask(method, [{ from: alice.address, to: bob.address, ...empty }], false)).not.toHaveProperty(
          'error',
        )
    expect(await ask('eth_call', [{ to: bob.address, data: '' }])).toEqual(plain)
    await network.rpc('dev_setCode', code, '0x6001')
    expect(await ask('eth_call', [{ to: code, data: '' }, 'latest', { [code]: { code: '' } }])).toMatchObject({
      result: '0x',
    })
    expect(await ask('hardhat_setCode', [code, ''])).not.toHaveProperty('error')
    expect(await network.rpc('eth_getCode', code)).toBe('0x')
    expect((await ask('eth_sendRawTransaction', [''], false)).error?.code).toBe(-32000)
  })
})

it('refuses the chain id 0, for which no library signs', async () => {
  for (const none of [0, '0', '0x0'])
    await expect(network.rpc('anvil_setChainId', none)).rejects.toMatchObject({ code: -32602 })
})

// A network that several nodes share refuses to restart elsewhere.
describe.skipIf(isInDatabase)('a reset', () => {
  const head = () => network.client.getBlockNumber()

  it.each<[string, unknown, bigint]>([
    ['with forking', { forking: { jsonRpcUrl: 'URL', blockNumber: 5 } }, 5n],
    ['as alloy sends it', { jsonRpcUrl: 'URL', blockNumber: 5 }, 5n],
    ['with a null URL', { jsonRpcUrl: null, blockNumber: '0x6' }, 6n],
    ['with a decimal number', { forking: { blockNumber: '7' } }, 7n],
    ['with nulls', { forking: null, jsonRpcUrl: null, blockNumber: null }, 8n],
  ])('%s restarts there', async (_, target, expected) => {
    await network.rpc('anvil_reset', { forking: { blockNumber: 8 } })
    for (const method of ['anvil_reset', 'hardhat_reset']) {
      await network.client.mine({ blocks: 3 })
      const given = JSON.parse(JSON.stringify(target).replace('URL', anvil.url))
      expect(await ask(method, [given])).toMatchObject({ result: true })
      expect(await head()).toBe(expected)
    }
    snapshot = await network.rpc('evm_snapshot')
  })

  it.each<[unknown, string]>([
    [{ jsonRpcURL: 'x' }, 'params[0].jsonRpcURL: is not a known field; did you mean jsonRpcUrl?'],
    [{ forking: { url: 'x' } }, 'params[0].forking.url: is not a known field'],
    [{ forking: {}, blockNumber: 5 }, 'params[0].forking: conflicts with jsonRpcUrl and blockNumber beside it'],
  ])('is refused with %j', async (target, problem) => {
    const before = await head()
    expect((await ask('anvil_reset', [target])).error?.message).toContain(problem)
    expect(await head()).toBe(before)
  })
})

describe('parameters by name', () => {
  it('are those of the table of methods', async () => {
    const { methods } = await network.rpc<{ methods: { name: string; params: { name: string }[] }[] }>('rpc.discover')
    const names = methods.find(({ name }) => name === 'eth_getBalance')?.params.map(({ name }) => name) ?? []
    const named = Object.fromEntries(names.map((name, index) => [name, [alice.address, 'latest'][index]]))
    expect(await ask('eth_getBalance', named)).toEqual(await ask('eth_getBalance', [alice.address, 'latest']))
    expect((await ask('eth_getBalance', { adress: alice.address })).error?.message).toContain(
      'params.adress: is not a known parameter; did you mean address?',
    )
  })

  it('serve a reorg, as alloy sends it', async () => {
    const transaction = { from: alice.address, to: bob.address, value: '0x1' }
    await network.client.mine({ blocks: 2 })
    expect(await ask('anvil_reorg', { depth: 2, tx_block_pairs: [[transaction, 1]] })).toMatchObject({ result: null })
    expect((await network.client.getBlock()).transactions).toHaveLength(1)
  })

  it('serve a dump that asks for earlier states', async () => {
    expect((await ask('anvil_dumpState', [true])).result).toMatch(/^0x1f8b/)
  })
})

describe('a field that is not known', () => {
  it.each<[string, unknown[], string]>([
    ['eth_call', [{ to: bob.address, vaule: '0x1' }], 'params[0].vaule: is not a known field; did you mean value?'],
    ['eth_estimateGas', [{ to: bob.address, feeCurrency: code }], 'params[0].feeCurrency: is not a known field'],
    ['eth_getLogs', [{ adress: code }], 'params[0].adress: is not a known field; did you mean address?'],
    ['eth_getLogs', [{ fromblock: '0x1', toBlock: 'latest' }], 'did you mean fromBlock?'],
    ['eth_getBalance', [bob.address, { blockNumber: '0x1', number: 1 }], 'expected a block number'],
    ['eth_newFilter', [{ topic: null }], 'params[0].topic: is not a known field; did you mean topics?'],
    ['eth_simulateV1', [{ blockStateCalls: [{}], valdation: true }], 'did you mean validation?'],
    ['debug_traceCall', [{ to: bob.address }, 'latest', { traser: 'callTracer' }], 'did you mean tracer?'],
    ['trace_filter', [{ fromAdress: [code] }], 'did you mean fromAddress?'],
    ['dev_debugOpen', [{ to: bob.address, dataa: '0x' }], '.dataa: is not a known field; did you mean data?'],
  ])('is refused by %s with its name: %j', async (method, params, problem) => {
    const { error } = await ask(method, params, method !== 'eth_newFilter')
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(problem) })
  })

  it('is none of those that clients send', async () => {
    await deployContract(network.client, artifacts.Counter, [0n])
    const { hash } = await network.rpc<{ hash: Hex }>(
      'eth_getTransactionByHash',
      await network.client.sendTransaction({ to: bob.address, value: 1n }),
    )
    const sent = await network.rpc<Record<string, unknown>>('eth_getTransactionByHash', hash)
    const { gasPrice: _, ...again } = sent
    const options = {
      gasLimit: sent.gas,
      hardfork: 'london',
      chain: 'mainnet',
      common: { customChain: { chainId: 1 } },
    }
    expect(await ask('eth_call', [{ ...again, ...options }, 'latest'])).toMatchObject({ result: '0x' })
    const traced = {
      disableStorage: true,
      enableMemory: true,
      disableMemory: false,
      disableStack: false,
      fullStorage: false,
    }
    for (const config of [traced, { reexec: 128, debug: true, disableReturnData: true }])
      expect(await ask('debug_traceTransaction', [hash, config])).not.toHaveProperty('error')
  })

  it('is none of those of ethers', async () => {
    const provider = new JsonRpcProvider(network.url, undefined, { cacheTimeout: -1 })
    const { abi, bytecode } = artifacts.Counter
    const address = await deployContract(network.client, { abi, bytecode }, [5n])
    const counter = new Contract(address, abi as never, await provider.getSigner())
    await (await (counter.increment as () => Promise<{ wait(): Promise<unknown> }>)()).wait()
    expect(await counter.queryFilter('Increased')).toHaveLength(1)
    provider.destroy()
  })
})

it('shows memory to those who ask not to leave it out', async () => {
  await network.rpc('dev_setCode', code, '0x60016000526000')
  const memoryOf = async (config: object) => {
    const { result } = await ask('debug_traceCall', [{ to: code }, 'latest', config])
    return (result as { structLogs: { memory?: Hex[] }[] }).structLogs.at(-1)?.memory
  }
  const word = `0x${'0'.repeat(63)}1`
  expect(await memoryOf({ enableMemory: true })).toEqual([word])
  expect(await memoryOf({ disableMemory: false })).toEqual([word])
  expect(await memoryOf({ disableMemory: true })).toBeUndefined()
  expect(await memoryOf({})).toBeUndefined()
})
