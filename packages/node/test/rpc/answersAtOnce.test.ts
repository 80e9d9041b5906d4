import { type Anvil, artifacts, connectClient, deployContract, startAnvil, testAccounts } from '@understudy/testkit'
import { encodeFunctionData, type Hex, parseEther, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

let anvil: Anvil
let network: TestNetwork
let token: Hex
let events: Hex
const hashes: Hex[] = []
const [owner, other] = testAccounts

beforeAll(async () => {
  anvil = await startAnvil()
  network = await startNetwork({ forkUrls: [anvil.url] })
  const client = await connectClient(network.url)
  token = await deployContract(client, artifacts.PlainToken, ['Plain', 'PLN', parseEther('1000')])
  events = await deployContract(client, artifacts.Events)
  const send = async (to: Hex, data: Hex) => {
    const gas = '0x100000'
    hashes.push(await network.rpc<Hex>('eth_sendTransaction', { from: owner.address, to, data, gas }))
  }
  const { abi } = artifacts.PlainToken
  await send(token, encodeFunctionData({ abi, functionName: 'transfer', args: [other.address, 5n] }))
  // Reverts: there is not so much.
  await send(token, encodeFunctionData({ abi, functionName: 'transfer', args: [other.address, 2n ** 200n] }))
  await send(events, encodeFunctionData({ abi: artifacts.Events.abi, functionName: 'emitMany', args: [3n] }))
  await send(events, encodeFunctionData({ abi: artifacts.Events.abi, functionName: 'emitHidden', args: [3n] }))
  // More logs than the database puts into one text, and one that is too long for that, with all topics.
  await send(events, encodeFunctionData({ abi: artifacts.Events.abi, functionName: 'emitMany', args: [130n] }))
  const indexed = (text: string) =>
    encodeFunctionData({ abi: artifacts.Events.abi, functionName: 'withTopics', args: [1n, zeroHash, text] })
  for (const text of ['', 'a'.repeat(3000)]) await send(events, indexed(text))
  // The pending block is the same in every second.
  await network.rpc('evm_setNextBlockTimestamp', Math.floor(Date.now() / 1000) + 1_000)
})
afterAll(async () => {
  await network.stop()
  await anvil.stop()
})

type Call = [method: string, ...params: unknown[]]

const bodyOf = ([method, ...params]: Call, id: number, ways: object = {}) =>
  JSON.stringify({ ...ways, id, method, params })
const post = async (body: string) => (await fetch(network.url, { method: 'POST', body })).text()

/** What does not say which JSON-RPC it is takes the long way. */
async function bothWays(call: Call): Promise<{ short: string; long: string; batch: string }> {
  const body = bodyOf(call, 7, { jsonrpc: '2.0' })
  const batch = await post(`[${body}]`)
  return { short: await post(body), long: await post(bodyOf(call, 7)), batch: batch.slice(1, -1) }
}

function calls(): Call[] {
  const balanceOf = (holder: string): Hex => `0x70a08231${holder.slice(2).toLowerCase().padStart(64, '0')}`
  return [
    ['eth_chainId'],
    ['eth_chainId', 'too much'],
    ['net_version'],
    ['eth_blockNumber'],
    ['eth_gasPrice'],
    ...['latest', 'pending', 'safe', '0x1', '0x0', 'earliest', '0xffffff', null, 'newest', 1.5].flatMap(
      (tag): Call[] => [
        ['eth_getBalance', owner.address, tag],
        ['eth_getTransactionCount', owner.address, tag],
        ['eth_getCode', token, tag],
        ['eth_getStorageAt', token, '0x2', tag],
        ['eth_call', { to: token, data: balanceOf(other.address) }, tag],
        ['eth_getBlockByNumber', tag, true],
        ['eth_getBlockByNumber', tag, false],
        ['eth_getLogs', { fromBlock: tag, toBlock: 'latest' }],
        ['eth_getLogs', { fromBlock: '0x1', toBlock: tag, address: events }],
      ],
    ),
    // Deeper than is allowed, in a field that is passed over.
    ['eth_getLogs', { a: JSON.parse('['.repeat(300) + ']'.repeat(300)) }],
    ['eth_call', { to: token, data: balanceOf(token), a: JSON.parse('['.repeat(300) + ']'.repeat(300)) }],
    ['eth_getBalance', '0x12'],
    ['eth_getBalance', '0x00000000000000000000000000000000000000aa'],
    ['eth_call', { to: token, data: '0x12345678' }],
    ['eth_call', { from: other.address, gasPrice: '0xffffffffff', gas: '0xfffff', to: token, data: balanceOf(token) }],
    ['eth_call', { to: token, data: balanceOf(other.address) }, 'latest', { [token]: { code: '0x00' } }],
    ['eth_call', { data: '0x600160005260206000f3' }],
    [
      'eth_getLogs',
      { address: [token, events], topics: [null, `0x${owner.address.slice(2).toLowerCase().padStart(64, '0')}`] },
    ],
    ['eth_getLogs', { fromBlock: '0x1', address: events, topics: [] }],
    ['eth_getLogs', { fromBlock: '0x5', toBlock: '0x1' }],
    ...hashes.flatMap((hash): Call[] => [
      ['eth_getTransactionReceipt', hash],
      ['eth_getTransactionByHash', hash],
    ]),
    ['eth_getTransactionReceipt', `0x${'00'.repeat(32)}`],
  ]
}

describe('what is in memory is answered at once', () => {
  it('as it is on the long way, errors word for word', async () => {
    for (const call of calls()) {
      const { short, long, batch } = await bothWays(call)
      expect(short, JSON.stringify(call)).toBe(long)
      expect(batch, JSON.stringify(call)).toBe(long)
    }
  })

  it('as it is by the hash of a block', async () => {
    for (const number of ['0x0', '0x1', '0x3', 'latest']) {
      const { hash } = await network.rpc<{ hash: Hex }>('eth_getBlockByNumber', number, false)
      const { short, long } = await bothWays(['eth_getBlockByHash', hash, true])
      expect(short).toBe(long)
    }
  })

  it('and not what was undone, when the network went back and on another way', async () => {
    const snapshot = await network.rpc('evm_snapshot')
    const transfer = { from: owner.address, to: other.address }
    const undone = await network.rpc<Hex>('eth_sendTransaction', { ...transfer, value: '0x1' })
    const { short } = await bothWays(['eth_getTransactionReceipt', undone])
    expect(short).toContain(undone)
    await network.rpc('evm_revert', snapshot)
    expect((await bothWays(['eth_getTransactionReceipt', undone])).short).toBe('{"jsonrpc":"2.0","id":7,"result":null}')
    hashes.push(await network.rpc<Hex>('eth_sendTransaction', { ...transfer, value: '0x2' }))
    for (const call of calls()) {
      const { short, long } = await bothWays(call)
      expect(short, JSON.stringify(call)).toBe(long)
    }
  })
})

it.each(['1e400', '-1e400', '1e21', '0.5', '"x"'])('answers in JSON whatever number the id is: %s', async (id) => {
  const call = `"id":${id},"method":"eth_chainId"`
  const short = JSON.parse(await post(`{"jsonrpc":"2.0",${call}}`))
  expect(short).toMatchObject({ result: '0x7a69' })
  expect(short).toEqual(JSON.parse(await post(`{${call}}`)))
})
