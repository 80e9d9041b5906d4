import { artifacts, deployContract, testAccounts } from '@understudy/testkit'
import { Contract, WebSocketProvider } from 'ethers'
import { createPublicClient, webSocket } from 'viem'
import { anvil } from 'viem/chains'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

let network: TestNetwork
let url: string
let counter: `0x${string}`
const { abi } = artifacts.Counter
const [, bob] = testAccounts
/** What subscriptions listen to. */
const names = ['block', 'logsRemoved', 'pending'] as const

beforeAll(async () => {
  network = await startNetwork()
  url = network.url.replace('http', 'ws')
  counter = await deployContract(network.client, artifacts.Counter, [0n])
})
afterAll(() => network.stop())
// Clients unsubscribe without waiting; what one test left would look like what the next one subscribes to.
const unheard = () =>
  eventually(
    async () => names.some((name) => network.node.services.chainEvents.isHeard(name)),
    (isHeard) => !isHeard,
  )
afterEach(unheard)

const increment = () => network.client.writeContract({ address: counter, abi, functionName: 'increment' })
const reach = async <T>(seen: T[], count: number) =>
  eventually(
    async () => seen,
    ({ length }) => length >= count,
  )

describe('viem over WebSocket', () => {
  const connect = () => createPublicClient({ chain: anvil, transport: webSocket(url, { reconnect: false }) })
  let client: ReturnType<typeof connect>
  beforeEach(() => {
    client = connect()
  })
  afterEach(async () => (await client.transport.getRpcClient()).close())

  it('reads', async () => {
    expect(await client.getChainId()).toBe(31337)
    const read = { address: counter, abi, functionName: 'number' } as const
    expect(await client.readContract(read)).toBe(await network.client.readContract(read))
  })

  it('watches blocks', async () => {
    const seen: bigint[] = []
    const stop = client.watchBlocks({ onBlock: ({ number }) => seen.push(number) })
    await subscribed('block')
    const head = await client.getBlockNumber({ cacheTime: 0 })
    await network.client.mine({ blocks: 1 })
    await reach(seen, 1)
    expect(seen).toEqual([head + 1n])
    stop()
  })

  it('watches events of a contract', async () => {
    const seen: unknown[] = []
    const stop = client.watchContractEvent({
      address: counter,
      abi,
      eventName: 'Increased',
      onLogs: (logs) => seen.push(...logs),
    })
    await subscribed('logsRemoved')
    await increment()
    await reach(seen, 1)
    expect(seen).toMatchObject([{ eventName: 'Increased', removed: false, address: counter.toLowerCase() }])
    stop()
  })

  it('watches events, and pending transactions', async () => {
    const logs: unknown[] = []
    const hashes: string[] = []
    const stops = [
      client.watchEvent({ address: counter, onLogs: (found) => logs.push(...found) }),
      client.watchPendingTransactions({ onTransactions: (found) => hashes.push(...found) }),
    ]
    await subscribed('logsRemoved')
    await subscribed('pending')
    const hash = await increment()
    await reach(logs, 1)
    await reach(hashes, 1)
    expect([logs, hashes]).toMatchObject([[{ transactionHash: hash }], [hash]])
    for (const stop of stops) stop()
  })
})

describe('ethers over WebSocket', () => {
  let provider: WebSocketProvider
  beforeEach(() => {
    provider = new WebSocketProvider(() => new WebSocket(url) as never)
  })
  afterEach(async () => {
    await unheard()
    await provider.destroy()
  })

  it('tells of blocks, events and pending transactions', async () => {
    const blocks: number[] = []
    const events: string[] = []
    const pending: string[] = []
    await provider.on('block', (number) => blocks.push(number))
    await provider.on('pending', (hash) => pending.push(hash))
    const contract = new Contract(counter, abi as never, provider)
    await contract.on('Increased', (...args) => events.push(args.at(-1).log.transactionHash))
    await subscribed('logsRemoved')
    await subscribed('pending')
    await subscribed('block')
    const hash = await increment()
    await reach(events, 1)
    await reach(pending, 1)
    await reach(blocks, 1)
    expect([events, pending]).toEqual([[hash], [hash]])
    expect(blocks).toContain(await provider.getBlockNumber())
    await provider.removeAllListeners()
  })

  it('sends and waits', async () => {
    const signer = await provider.getSigner(bob.address)
    const receipt = await (await signer.sendTransaction({ to: bob.address, value: 1n })).wait()
    expect(receipt?.status).toBe(1)
  })
})

/** Waits until the network has a subscription to what happens under this name. */
async function subscribed(name: (typeof names)[number]): Promise<void> {
  await eventually(async () => network.node.services.chainEvents.isHeard(name), Boolean)
}
