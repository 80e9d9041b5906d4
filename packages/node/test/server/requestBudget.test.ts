import { request } from 'node:http'
import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  type FaultProxy,
  startAnvil,
  startFaultProxy,
} from '@understudy/testkit'
import { type Address, encodeFunctionData } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

let anvil: Anvil
let proxy: FaultProxy
let reader: Address
let network: TestNetwork

beforeEach(async () => {
  anvil = await startAnvil({ chainId: 1 })
  proxy = await startFaultProxy(anvil.url)
  reader = await deployContract(await connectClient(anvil.url), artifacts.SlotReader)
})
afterEach(async () => {
  await network.stop()
  await proxy.stop()
  await anvil.stop()
})

const greedy: Address = '0x00000000000000000000000000000000000c0de5'
/** Reads the balance of ever new accounts: `for (n = 0;;) balance(++n)`. */
const readsBalances = { [greedy]: { code: '0x5f5b600101803150600156' } }

const readSlots = (count: bigint) => ({
  to: reader,
  data: encodeFunctionData({ abi: artifacts.SlotReader.abi, functionName: 'sum', args: [count] }),
})

const metrics = async () => (await fetch(`${network.url}/metrics`)).text()
const stateCalls = () =>
  ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode', 'eth_getStorageAt']
    .map((method) => proxy.stats().byMethod[method] ?? 0)
    .reduce((sum, count) => sum + count)

describe('what one request fetches of the live chain', () => {
  it('has a limit, which is one for a batch too', async () => {
    network = await startNetwork({ forkUrls: [proxy.url], requestKeys: 500 })
    proxy.resetStats()
    await expect(network.rpc('eth_call', { to: greedy }, 'latest', readsBalances)).rejects.toThrow(/--request-keys/)
    expect(stateCalls()).toBeLessThanOrEqual(500)

    const batch = [1, 2, 3].map((id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_call',
      params: [readSlots(300n * BigInt(id))],
    }))
    const answer = await fetch(network.url, { method: 'POST', body: JSON.stringify(batch) })
    expect(((await answer.json()) as { error?: { data: unknown } }[]).filter(({ error }) => error)).toHaveLength(2)
    expect(stateCalls()).toBeLessThanOrEqual(1000)
    const counted = /understudy_request_upstream_values_total\{key=""\} (\d+)/.exec(await metrics())?.[1]
    expect(Number(counted)).toBeGreaterThan(300)
    expect(Number(counted)).toBeLessThanOrEqual(1000)
  })

  it('may be thousands of slots', async () => {
    network = await startNetwork({ forkUrls: [proxy.url] })
    expect(BigInt(await network.rpc<string>('eth_call', readSlots(5000n)))).toBe(0n)
    expect(stateCalls()).toBeGreaterThanOrEqual(5000)
  })
})

describe('a client that leaves', () => {
  const call = () => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [readSlots(3000n)] })
  const cancelled = 'understudy_requests_total{method="eth_call",outcome="REQUEST_CANCELLED"} 1'

  it.each<[string, () => () => void]>([
    [
      'over HTTP',
      () => {
        const sent = request(network.url, { method: 'POST' })
        sent.on('error', () => {})
        sent.end(call())
        return () => sent.destroy()
      },
    ],
    [
      'over WebSocket',
      () => {
        const socket = new WebSocket(network.url.replace('http', 'ws'))
        socket.on('open', () => socket.send(call()))
        return () => socket.terminate()
      },
    ],
  ])('%s takes its requests to the live chain along', async (_, send) => {
    network = await startNetwork({ forkUrls: [proxy.url], followHead: false })
    await network.rpc('eth_call', readSlots(1n))
    proxy.resetStats()
    const release = proxy.hold()
    const leave = send()
    await eventually(
      async () => stateCalls(),
      (count) => count >= 500,
    )
    leave()
    await eventually(metrics, (text) => text.includes(cancelled))
    release()
    // Whoever asks next is answered, and nothing of the other was in the way.
    await network.rpc('eth_getBalance', greedy)
    expect(stateCalls()).toBeLessThan(1100)
  })
})

it('answers what still runs when the network stops, by name', async () => {
  network = await startNetwork({ forkUrls: [proxy.url], callGasLimit: '100000000000', callTimeout: 60 })
  const read = new Set<unknown>()
  proxy.set({ answer: ({ params }) => void read.add((params as unknown[])[0]) })
  /** Reads the balance of an account of the live chain, and never ends. */
  const bodyOf = (account: string) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_call',
      params: [{ to: greedy, gas: '0xffffffffff' }, 'latest', { [greedy]: { code: `0x61${account}31505b600556` } }],
    })
  // Both ways in which requests are read.
  const running = [{}, { headers: { 'transfer-encoding': 'chunked' } }].map(
    (options, index) =>
      new Promise<string>((resolve, reject) => {
        const sent = request(network.url, { method: 'POST', ...options }, async (response) => {
          let text = ''
          for await (const part of response) text += part
          resolve(text)
        })
        sent.on('error', reject).end(bodyOf(`aab${index}`))
      }),
  )
  await eventually(
    async () => ['aab0', 'aab1'].every((account) => read.has(`0x${account.padStart(40, '0')}`)),
    (isRunning) => isRunning,
  )
  await network.node.stop()
  for (const text of await Promise.all(running))
    expect(JSON.parse(text)).toMatchObject({ id: 1, error: { data: { kind: 'NETWORK_STOPPING' } } })
})
