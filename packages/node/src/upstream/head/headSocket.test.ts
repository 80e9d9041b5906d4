import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { type Anvil, createFakeClock, type FakeClock, startAnvil, startFaultProxy } from '@understudy/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
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

test('where heads come faster than one a second, their notices cause no polls', async () => {
  await upstream.start()
  await untilSourceIs('websocket')
  const follow = async (blocks: number, afterMs: number) => {
    const before = headNumber() ?? 0n
    await mine(blocks)
    clock.advance(afterMs)
    await expect.poll(headNumber).toBe(before + BigInt(blocks))
  }
  for (let head = 0; head < 8; head++) await follow(1, 200)
  expect(upstream.head.pollIntervalMs()).toBe(2_500)
  const { httpRequests } = upstream.counters()
  await mine(12)
  clock.advance(2_500)
  await expect.poll(headNumber).toBe(20n)
  expect(upstream.counters().httpRequests).toBe(httpRequests + 1)
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

/** An upstream whose subscription says what `speak` says. It counts connections, and polls over HTTP. */
async function startSpeaker(speak: (socket: WebSocket) => void) {
  const counts = { connections: 0, closed: 0, polls: 0 }
  const server = createHttpServer(async (request, response) => {
    counts.polls++
    const body = await new Response(request as unknown as ReadableStream).text()
    const answer = await fetch(anvil.url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    response.setHeader('content-type', 'application/json').end(await answer.text())
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => {
    counts.connections++
    socket.on('error', () => {})
    socket.on('close', () => counts.closed++)
    socket.once('message', () => {
      socket.send('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
      speak(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    async stop() {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const headOf = (number: number, more = '') =>
  JSON.stringify({
    jsonrpc: '2.0',
    method: 'eth_subscription',
    params: { subscription: '0x1', result: { number: `0x${number.toString(16)}`, more } },
  })

test.each<[string, (socket: WebSocket) => void]>([
  [
    'very many heads',
    (socket) => {
      for (let number = 0; number < 20_000; number++) socket.send(headOf(number))
    },
  ],
  ['a head of 1 MB', (socket) => socket.send(headOf(1, 'x'.repeat(1_000_000)))],
  [
    'many large heads',
    (socket) => {
      for (let number = 0; number < 100; number++) socket.send(headOf(number, 'x'.repeat(200_000)))
    },
  ],
  [
    'pings without end',
    (socket) => {
      for (let count = 0; count < 20_000; count++) socket.ping()
    },
  ],
])('a subscription that sends %s is given up for polling', async (_, speak) => {
  const speaker = await startSpeaker(speak)
  const flooded = createUpstream({ urls: [speaker.url], webSocket: true }, { logger: createLogger('silent'), clock })
  await flooded.start()
  await expect.poll(() => speaker.counts.closed, { timeout: 5_000 }).toBe(1)
  await expect.poll(() => flooded.head.source()).toBe('polling')
  const before = speaker.counts.polls
  expect(before).toBeLessThan(200)
  const pollLater = () => {
    clock.advance(1_000)
    return speaker.counts.polls
  }
  await expect.poll(pollLater).toBeGreaterThan(before)
  expect(speaker.counts.connections).toBe(1)
  await flooded.stop()
  await speaker.stop()
})
