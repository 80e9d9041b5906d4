import { createFakeClock } from '@understudy/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../src/shared/logger.ts'
import { openSocket } from '../rawSocket.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const keys = { read: 'reader-5ecret-00001', write: 'writer-5ecret-00002', admin: 'keeper-5ecret-00003' }
const account = '0x00000000000000000000000000000000000000aa'
const setNonce = { method: 'dev_setNonce', params: [account, 5] }

const clock = createFakeClock()
let network: TestNetwork
/** Everything that was logged. */
let log = ''
beforeAll(async () => {
  const logger = createLogger('trace', {
    write: (line) => {
      log += line
    },
  })
  const apiKeys = Object.entries(keys).map(([role, key]) => `${key}:${role}`)
  network = await startNetwork({ apiKeys, rateLimit: 50, allowedOrigins: ['https://app.example'] }, { logger, clock })
})
afterAll(() => network.stop())
// Every key may ask its fifty again.
beforeEach(() => clock.advance(1000))

type Headers = Record<string, string>

async function post(body: unknown, headers: Headers = {}, path = '/') {
  const response = await fetch(network.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, headers: response.headers, answer: await response.json() }
}
const chainId = { id: 1, method: 'eth_chainId' }
const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` })

describe('a network with keys', () => {
  it.each<[string, Headers, string]>([
    ['Authorization: Bearer', bearer(keys.read), '/'],
    ['x-api-key', { 'x-api-key': keys.read }, '/'],
    ['the path', {}, `/rpc/${keys.read}`],
  ])('takes a key by %s', async (_, headers, path) => {
    expect(await post(chainId, headers, path)).toMatchObject({ status: 200, answer: { result: '0x7a69' } })
    const socket = await openSocket(network.url + path, headers)
    expect(await socket.request('eth_chainId')).toBe('0x7a69')
    await socket.close()
  })

  it.each<[string, Headers, string]>([
    ['none', {}, '/'],
    ['an unknown one', bearer('nobody-5ecret-00000'), '/'],
    ['a part of one', bearer(keys.read.slice(0, -1)), '/'],
    ['an unknown one in the path', {}, '/rpc/nobody-5ecret-00000'],
    ['a good one, but an unknown one before it', bearer('nobody-5ecret-00000'), `/rpc/${keys.read}`],
  ])('refuses %s with 401', async (_, headers, path) => {
    const { status, headers: answered, answer } = await post(chainId, headers, path)
    expect([status, answered.get('www-authenticate'), answer]).toMatchObject([
      401,
      'Bearer',
      { id: null, error: { code: 4100, data: { kind: 'UNAUTHORIZED' } } },
    ])
    expect(JSON.stringify(answer)).not.toContain('5ecret')
    await expect(openSocket(network.url + path, headers)).rejects.toThrow('HTTP 401')
  })

  it('lets each role do what it may, and answers 403 to the rest', async () => {
    const sign = { id: 1, method: 'eth_sign', params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0x00'] }
    const statuses = async (body: unknown) =>
      Promise.all(Object.values(keys).map(async (key) => (await post(body, bearer(key))).status))
    expect(await statuses(chainId)).toEqual([200, 200, 200])
    expect(await statuses(sign)).toEqual([403, 200, 200])
    expect(await statuses({ id: 1, ...setNonce })).toEqual([403, 403, 200])
    expect((await post({ id: 7, ...setNonce }, bearer(keys.write))).answer).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: {
        code: 4100,
        message: 'unauthorized: dev_setNonce needs a key with the role admin; this one has write',
        data: { kind: 'UNAUTHORIZED', problem: 'dev_setNonce needs a key with the role admin; this one has write' },
      },
    })
  })

  it('refuses single items of a batch, and single requests over WebSocket', async () => {
    const { status, answer } = await post([chainId, { id: 2, ...setNonce }], bearer(keys.read))
    expect([status, answer]).toMatchObject([
      200,
      [
        { id: 1, result: '0x7a69' },
        { id: 2, error: { code: 4100 } },
      ],
    ])
    const socket = await openSocket(`${network.url}/rpc/${keys.read}`)
    await expect(socket.request('dev_setNonce', account, 5)).rejects.toMatchObject({ code: 4100 })
    expect(await socket.request('eth_subscribe', 'newHeads')).toMatch(/^0x/)
    await socket.close()
  })

  it('says how it is without one, and answers what browsers ask before', async () => {
    const { status, ...health } = await (await fetch(`${network.url}/health`)).json()
    expect([status, JSON.stringify(health)]).toEqual(['ready', expect.not.stringContaining('http')])
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
    expect((await fetch(network.url, { method: 'OPTIONS', headers })).status).toBe(204)
    const { headers: answered } = await post(chainId, { origin: 'https://app.example' })
    expect(answered.get('access-control-allow-origin')).toBe('https://app.example')
  })

  it('is closed to pages of other origins than those that were named, and its own', async () => {
    const from = (origin: string) => ({ ...bearer(keys.read), origin })
    expect((await post(chainId, from('https://app.example'))).status).toBe(200)
    expect((await post(chainId, from(network.url))).status).toBe(200)
    for (const origin of ['https://evil.example', 'null', 'http://app.example', 'https://app.example.evil']) {
      expect((await post(chainId, from(origin))).status).toBe(403)
      await expect(openSocket(network.url, from(origin))).rejects.toThrow('HTTP 403')
    }
  })

  it('counts requests by key, without the keys', async () => {
    for (const key of Object.values(keys)) await post(chainId, bearer(key))
    const { answer } = await post({ id: 1, method: 'dev_getApiKeys' }, bearer(keys.admin))
    expect(answer.result.map(({ role }: { role: string }) => role)).toEqual(['read', 'write', 'admin'])
    for (const usage of answer.result)
      expect(usage).toEqual({
        id: expect.stringMatching(/^[\da-f]{8}$/),
        role: expect.any(String),
        requests: expect.any(Number),
        errors: expect.any(Number),
        lastUsedAt: expect.stringMatching(/Z$/),
      })
    await post([chainId, chainId, { id: 1, method: 'eth_nope' }], bearer(keys.write))
    const after = (await post({ id: 1, method: 'dev_getApiKeys' }, bearer(keys.admin))).answer.result
    const added = (field: 'requests' | 'errors') => after[1][field] - answer.result[1][field]
    expect([added('requests'), added('errors')]).toEqual([3, 1])
    expect(JSON.stringify(answer)).not.toContain('5ecret')
  })

  it('answers -32005, and 429 to a request alone, when a key is used too often', async () => {
    const many = Array.from({ length: 200 }, (_, id) => ({ ...chainId, id }))
    const { status, answer } = await post(many, bearer(keys.write))
    expect(status).toBe(200)
    const refused = answer.filter(({ error }: { error?: unknown }) => error)
    expect(refused.length).toBe(150)
    expect(refused[0]).toMatchObject({ error: { code: -32005, data: { kind: 'RATE_LIMITED' } } })
    expect(await post(chainId, bearer(keys.write))).toMatchObject({ status: 429, answer: { error: { code: -32005 } } })
    expect(await post(chainId, bearer(keys.admin))).toMatchObject({ status: 200 })
  })

  it('shows no key in errors and logs', async () => {
    for (const path of [`/rpc/${keys.admin}/more`, `/${keys.admin}/rpc`, `/rpc?key=${keys.admin}`]) {
      const { status, answer } = await post(chainId, {}, path)
      expect(status).toBe(404)
      expect(JSON.stringify(answer)).not.toContain('5ecret')
    }
    const unknown = 'nobody-5ecret-00000'
    for (const key of [...Object.values(keys), unknown]) {
      await post({ id: 1, ...setNonce }, bearer(key))
      await post(chainId, { 'x-api-key': key }, `/rpc/${key}`)
    }
    expect(log.length).toBeGreaterThan(100)
    expect(log).not.toContain('5ecret')
  })
})
