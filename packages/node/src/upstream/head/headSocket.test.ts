import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { type Anvil, createFakeClock, type FakeClock, startAnvil, startFaultProxy } from '@understudy/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLogger } from '../../shared/logger.ts'
import { createUpstream, type Upstream } from '../upstream.ts'

let anvil: Anvil
let relay: Awaited<ReturnType<typeof startRelay>>
/** Stands still: whatever is heard was not polled. */
let clock: FakeClock
let upstream: Upstream

beforeEach(async () => {
  anvil = await startAnvil({ args: ['--no-mining'] })
  relay = await startRelay(anvil.port)
  clock = createFakeClock()
  upstream = createUpstream({ urls: [relay.url], webSocket: true }, { logger: createLogger('silent'), clock })
})
afterEach(async () => {
  await upstream.stop()
  await relay.stop()
  await anvil.stop()
})

const mine = (blocks = 1) => anvil.rpc('anvil_mine', [blocks])
const headNumber = () => upstream.head.current()?.number
const untilSourceIs = (source: string) => expect.poll(() => upstream.head.source()).toBe(source)

/** Passes bytes on, whatever they are; its connections can be cut. */
async function startRelay(port: number) {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    const other = connect(port, '127.0.0.1')
    for (const end of [socket, other]) {
      sockets.add(end)
      end.on('error', () => end.destroy())
    }
    socket.on('close', () => other.destroy())
    other.on('close', () => socket.destroy())
    socket.pipe(other).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    async stop() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('heads come by WebSocket at the address of the HTTP URL, and polls become few', async () => {
  await upstream.start()
  expect(upstream.head.source()).toBe('polling')
  await untilSourceIs('websocket')
  await mine(2)
  await expect.poll(headNumber).toBe(2n)
  await mine()
  await expect.poll(headNumber).toBe(3n)
  expect(upstream.head.pollIntervalMs()).toBe(15_000)
})

test('after a break, upstream is polled until the subscription is back, and no head is missed', async () => {
  await upstream.start()
  await untilSourceIs('websocket')
  relay.cut()
  await untilSourceIs('polling')
  expect(upstream.head.pollIntervalMs()).toBeLessThan(15_000)
  await mine(5)
  await clock.waiting(1, 250)
  clock.advance(250)
  await untilSourceIs('websocket')
  await expect.poll(headNumber).toBe(5n)
})

test('where no WebSocket is offered, upstream is polled', async () => {
  const proxy = await startFaultProxy(anvil.url)
  const polled = createUpstream({ urls: [proxy.url], webSocket: true }, { logger: createLogger('silent'), clock })
  await polled.start()
  await clock.waiting(2)
  expect(polled.head.source()).toBe('polling')
  await mine()
  clock.advance(1_000)
  await expect.poll(() => polled.head.current()?.number).toBe(1n)
  await polled.stop()
  await proxy.stop()
})
