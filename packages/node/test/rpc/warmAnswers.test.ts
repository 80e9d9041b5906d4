import { createHook } from 'node:async_hooks'
import { type Anvil, artifacts, connectClient, deployContract, startAnvil, testAccounts } from '@understudy/testkit'
import { encodeFunctionData, type Hex, parseEther, zeroHash } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../../src/rpc/caller.ts'
import { createDispatcher, type Dispatcher } from '../../src/rpc/dispatch/dispatch.ts'
import { methods } from '../../src/rpc/methods/index.ts'
import { MessageBytes } from '../../src/shared/budget/messageBytes.ts'
import { Shares } from '../../src/shared/budget/shares.ts'
import { createLogger } from '../../src/shared/logger.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

let anvil: Anvil
let network: TestNetwork
let token: Hex
let events: Hex
let hashes: Hex[] = []
const [owner, other] = testAccounts

beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())
beforeEach(async () => {
  hashes = []
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
  await setPendingTime()
})
afterEach(() => network.stop())

/** The pending block is the same in every second then. */
const setPendingTime = async () => {
  const { timestamp } = await network.client.getBlock()
  await network.rpc('evm_setNextBlockTimestamp', Number(timestamp) + 10_000)
}

type Call = [method: string, ...params: unknown[]]

const bodyOf = ([method, ...params]: Call) => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
const post = async (body: string) => (await fetch(network.url, { method: 'POST', body })).text()

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

/** The answer to each call, alone and in a batch with the others, which are the same. */
async function answers(): Promise<Map<string, string>> {
  const bodies = calls().map(bodyOf)
  const batch = JSON.parse(await post(`[${bodies.join()}]`))
  const found = new Map<string, string>()
  for (const [index, body] of bodies.entries()) {
    const answer = await post(body)
    expect(JSON.stringify(batch[index]), body).toBe(JSON.stringify(JSON.parse(answer)))
    found.set(body, answer)
  }
  return found
}

it('answers from memory as from storage, errors word for word', async () => {
  const warm = await answers()
  await network.restart()
  // Each is answered twice, alone and in a batch: from storage, and then from what that left in memory.
  expect(await answers()).toEqual(warm)
})

it('forgets what was undone, when the network went back and on another way', async () => {
  const snapshot = await network.rpc('evm_snapshot')
  const transfer = { from: owner.address, to: other.address }
  const undone = await network.rpc<Hex>('eth_sendTransaction', { ...transfer, value: '0x1' })
  const receipt: Call = ['eth_getTransactionReceipt', undone]
  expect(await post(bodyOf(receipt))).toContain(undone)
  await network.rpc('evm_revert', snapshot)
  expect(await post(bodyOf(receipt))).toBe('{"jsonrpc":"2.0","id":7,"result":null}')
  hashes.push(await network.rpc<Hex>('eth_sendTransaction', { ...transfer, value: '0x2' }))
  await setPendingTime()
  const warm = await answers()
  await network.restart()
  expect(await answers()).toEqual(warm)
})

describe('what is in memory', () => {
  const inFlight = new Shares(1 << 30)
  let dispatcher: Dispatcher
  beforeEach(() => {
    const limits = { batchLimit: 10, callTimeout: 5, requestKeys: 100 }
    const logger = createLogger('silent')
    const { services } = network.node
    dispatcher = createDispatcher(methods, services, { ...limits, logger, createId: () => 'id' })
  })

  const newClient = (): Client => ({
    role: 'admin',
    key: undefined,
    mayAsk: () => true,
    subscriber: undefined,
    holder: 'somebody',
    connection: {},
    bytes: new MessageBytes({ inFlight, holder: 'somebody', answerLimit: 1_000_000 }),
  })

  /** What the dispatcher returns in a new turn of the event loop, and how many promises are made until it does. */
  async function ask(call: Call) {
    await new Promise((resolve) => setImmediate(resolve))
    let promises = 0
    const hook = createHook({
      init(_, type) {
        if (type === 'PROMISE') promises++
      },
    })
    hook.enable()
    const answer = dispatcher.answer(bodyOf(call), newClient())
    hook.disable()
    return { answer, promises }
  }

  it.each(['eth_call', 'eth_getBalance', 'eth_getTransactionCount', 'eth_getCode', 'eth_getStorageAt', 'eth_getLogs'])(
    'is read without a promise: %s',
    async (method) => {
      const isOfHead = (call: Call) => call[0] === method && JSON.stringify(call).includes('latest')
      const call = calls().find(isOfHead) as Call
      await (await ask(call)).answer
      const { answer, promises } = await ask(call)
      expect({ isPromise: answer instanceof Promise, promises }).toEqual({ isPromise: false, promises: 0 })
      expect(JSON.parse(`${(await answer).text}`)).toHaveProperty('result')
    },
  )

  it('is not waited for by a signed transaction, which is in the pool when the turn ends', async () => {
    const client = await connectClient(network.url)
    const gas = 21_000n
    const request = await client.prepareTransactionRequest({ account: other, to: owner.address, value: 1n, gas })
    const signed = await client.signTransaction(request as never)
    const { answer } = await ask(['eth_sendRawTransaction', signed])
    const { submission } = network.node.services
    expect(submission.poolSize()).toBe(1)
    const { result } = JSON.parse(`${(await answer).text}`)
    expect(submission.poolSize()).toBe(0)
    expect(await network.rpc('eth_getTransactionReceipt', result)).toMatchObject({ status: '0x1' })
  })
})

it.each(['1e400', '-1e400', '1e21', '0.5', '"x"'])('answers in JSON whatever number the id is: %s', async (id) => {
  const answer = JSON.parse(await post(`{"jsonrpc":"2.0","id":${id},"method":"eth_chainId"}`))
  expect(answer).toMatchObject({ result: '0x7a69' })
})
