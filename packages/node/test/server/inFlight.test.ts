import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSocket } from '../rawSocket.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const keys = { greedy: 'greedy-5ecret-00001', other: 'other-5ecret-000002' }
const limit = 2 * 1024 * 1024

let network: TestNetwork
beforeAll(async () => {
  network = await startNetwork({
    apiKeys: Object.values(keys).map((key) => `${key}:admin`),
    bodyLimit: limit / 2,
    importBodyLimit: limit / 2,
    inFlightLimit: limit,
    answerLimit: limit / 2,
  })
})
afterAll(() => network.stop())

const blank = (bytes: number) => ' '.repeat(bytes)
const chainId = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'

/** A WebSocket with a message that does not end. */
async function hold(key: string, bytes: number) {
  const socket = await openSocket(network.url, { 'x-api-key': key })
  const wasRead = new Promise((resolve) => socket.socket.once('pong', resolve))
  socket.socket.send(blank(bytes), { fin: false })
  socket.socket.ping()
  await wasRead
  return socket
}

async function post(key: string, body: string) {
  const response = await fetch(network.url, { method: 'POST', headers: { 'x-api-key': key }, body })
  return { status: response.status, answer: (await response.json()) as object }
}

const noRoom = {
  status: 503,
  answer: { error: { code: -32005, message: expect.stringContaining('--in-flight-limit'), data: { limit } } },
}

describe('bytes in flight', () => {
  it('that one key has leave room for another', async () => {
    const socket = await hold(keys.greedy, 900_000)
    expect(await post(keys.greedy, chainId + blank(300_000))).toMatchObject(noRoom)
    expect(await post(keys.other, chainId + blank(300_000))).toMatchObject({
      status: 200,
      answer: { result: '0x7a69' },
    })
    expect(await post(keys.greedy, chainId)).toMatchObject({ status: 200 })
    await socket.close()
    expect(await post(keys.greedy, chainId + blank(300_000))).toMatchObject({ status: 200 })
  })

  it('beyond the share of a key close its WebSocket with 1013, and others go on', async () => {
    const held = await hold(keys.greedy, 400_000)
    const [socket, other] = await Promise.all([
      openSocket(network.url, { 'x-api-key': keys.greedy }),
      openSocket(network.url, { 'x-api-key': keys.other }),
    ])
    socket.socket.send(blank(1_000_000), { fin: false })
    expect(await socket.closed).toEqual({
      code: 1013,
      reason: 'no room for the message: it exceeds your share of --in-flight-limit',
    })
    expect(await other.request('eth_chainId')).toBe('0x7a69')
    await Promise.all([held.close(), other.close()])
  })

  it('of a body in chunks are counted as they come', async () => {
    const socket = await hold(keys.greedy, 400_000)
    const status = new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'x-api-key': keys.greedy, 'transfer-encoding': 'chunked' }
      const sending = httpRequest(network.url, { method: 'POST', headers })
      sending.on('error', reject)
      sending.on('response', (response) => resolve(response.statusCode))
      sending.write(blank(1_000_000))
    })
    expect(await status).toBe(503)
    await socket.close()
    expect(await post(keys.greedy, chainId + blank(300_000))).toMatchObject({ status: 200 })
  })
})
