import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFakeClock } from '@understudy/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createDispatcher } from '../rpc/dispatch/dispatch.ts'
import { listening } from '../rpc/methods/net/listening.ts'
import type { Services } from '../rpc/services.ts'
import { createLogger } from '../shared/logger.ts'
import { createAccess } from './access.ts'
import { createAccessControl } from './accessControl.ts'
import { createInFlight } from './inFlight.ts'
import { createWebSockets, pingIntervalMs, type WebSockets } from './webSockets.ts'

const clock = createFakeClock()
const logger = createLogger('silent')
let http: Server
let sockets: WebSockets
let url: string

beforeEach(async () => {
  const dispatcher = createDispatcher([listening], {} as Services, {
    batchLimit: 10,
    callTimeout: 5,
    requestKeys: 100,
    logger,
    createId: () => 'id',
  })
  const inFlight = createInFlight({ inFlightLimit: 100_000, answerLimit: 10_000 })
  const access = createAccess(
    { apiKeys: [], rateLimit: undefined, keyComputing: undefined, keyValues: undefined },
    { clock },
  )
  const accessControl = createAccessControl({ host: '127.0.0.1', allowedHosts: [], allowedOrigins: ['*'] }, { access })
  sockets = createWebSockets(
    {
      bodyLimit: 1000,
      webSocketLimit: 10,
      apiKeys: [],
      webSocketBuffer: 1000,
      subscriptionLimit: 1,
      totalSubscriptionLimit: 10,
    },
    { dispatcher, useBranch: async () => ({ dispatcher, release() {} }), accessControl, inFlight, clock, logger },
  )
  http = createServer()
  sockets.attach(http)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`
})
afterEach(async () => {
  await sockets.stop()
  await new Promise((resolve) => http.close(resolve))
})

const open = async (options = {}) => {
  const socket = new WebSocket(url, options)
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve) => socket.once('open', resolve))
  return { socket, closed }
}

describe('pings', () => {
  it('cut off a peer that does not answer, and keep one that does', async () => {
    const dead = await open({ autoPong: false })
    const alive = await open()
    const pinged = () =>
      Promise.all([dead, alive].map(({ socket }) => new Promise((resolve) => socket.once('ping', resolve))))
    let next = pinged()
    clock.advance(pingIntervalMs)
    await next
    // Its pong is there when a later message is answered.
    const answered = new Promise((resolve) => alive.socket.once('message', resolve))
    alive.socket.send('{"id":1,"method":"net_listening"}')
    await answered
    next = new Promise((resolve) => alive.socket.once('ping', resolve)) as never
    clock.advance(pingIntervalMs)
    expect(await dead.closed).toBe(1006)
    await next
    expect(alive.socket.readyState).toBe(WebSocket.OPEN)
    expect(sockets.count()).toEqual({ connections: 1, subscriptions: 0 })
    alive.socket.close()
    await alive.closed
  })
})

describe('stop', () => {
  it('says that the network goes away', async () => {
    const { closed } = await open()
    await sockets.stop()
    expect(await closed).toBe(1001)
  })

  it('does not wait for a peer that does not answer', async () => {
    const { socket, closed } = await open()
    socket.pause()
    const stopped = sockets.stop()
    clock.advance(1000)
    await stopped
    socket.resume()
    expect(await closed).toBe(1001)
  })
})
