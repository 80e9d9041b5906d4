import { testAccounts } from '@understudy/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { openSocket } from '../rawSocket.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

let network: TestNetwork
afterEach(() => network.stop())

const [, bob] = testAccounts

describe('WebSocket under load', () => {
  it('closes a slow reader with a clear code, and serves the others', async () => {
    network = await startNetwork({ webSocketBuffer: 1_000_000 })
    const [slow, quick] = await Promise.all([openSocket(network.url), openSocket(network.url)])
    for (let count = 0; count < 10; count++) await slow.request('eth_subscribe', 'newPendingTransactions', true)
    const id = await quick.request<string>('eth_subscribe', 'newPendingTransactions')
    slow.socket.pause()
    const data = `0x${'00'.repeat(100_000)}` as const
    // Ten times 200 kB each: more than the buffers of the system take.
    for (let count = 0; count < 15; count++)
      await network.client.sendTransaction({ to: bob.address, data, gas: 2_000_000n })
    slow.socket.resume()
    expect(await slow.closed).toEqual({
      code: 1008,
      reason: 'slow reader: more than 1000000 bytes of notifications are queued',
    })
    await eventually(
      async () => quick.notified(id),
      ({ length }) => length === 15,
    )
    expect(quick.socket.readyState).toBe(quick.socket.OPEN)
  })

  it('answers all of many requests that were sent without reading an answer', async () => {
    network = await startNetwork()
    const socket = await openSocket(network.url)
    socket.socket.pause()
    const answers = Array.from({ length: 5000 }, () => socket.request('eth_getBlockByNumber', 'latest', true))
    await network.rpc('eth_chainId')
    socket.socket.resume()
    expect(new Set((await Promise.all(answers)).map((block) => JSON.stringify(block))).size).toBe(1)
  })

  it('tells a thousand sockets of a block, and forgets them when they go', async () => {
    network = await startNetwork()
    const sockets = await Promise.all(Array.from({ length: 1000 }, () => openSocket(network.url)))
    const ids = await Promise.all(sockets.map((socket) => socket.request<string>('eth_subscribe', 'newHeads')))
    expect(new Set(ids).size).toBe(1000)
    await network.rpc('evm_mine')
    await eventually(
      async () => sockets.map((socket, index) => socket.notified(ids[index] as string).length),
      (counts) => counts.every((count) => count === 1),
    )
    await Promise.all(sockets.map((socket) => socket.close()))
    await eventually(
      async () => network.node.services.chainEvents.isHeard('block'),
      (isHeard) => !isHeard,
    )
  })
})
