import { request } from 'node:http'
import { createFakeClock } from '@understudy/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSocket } from '../rawSocket.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const keys = { read: 'reader-5ecret-00001', write: 'writer-5ecret-00002', admin: 'keeper-5ecret-00003' }

const clock = createFakeClock()
let network: TestNetwork
beforeAll(async () => {
  const apiKeys = Object.entries(keys).map(([role, key]) => `${key}:${role}`)
  network = await startNetwork(
    { apiKeys, rateLimit: 50, bodyLimit: 100_000, answerLimit: 60_000, allowedOrigins: ['https://app.example'] },
    { clock },
  )
})
afterAll(() => network.stop())
// Every key may ask its fifty again.
beforeEach(() => clock.advance(1000))

type Headers = Record<string, string>
const access = (key: string): Headers => ({ 'x-access-key': key })
const blockNumber = '/api/v1/network/31337/block-number'

async function send(method: string, path: string, headers: Headers = access(keys.admin), body?: string) {
  const response = await fetch(network.url + path, { method, headers, ...(body !== undefined && { body }) })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

const problem = (slug: string, message: unknown) => ({
  error: { id: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/), slug, message },
})

describe("Tenderly's REST interface", () => {
  it('is at /api and without it', async () => {
    const number = Number(await network.rpc('eth_blockNumber'))
    for (const path of [blockNumber, '/v1/network/31337/block-number'])
      expect(await send('GET', path)).toMatchObject({ status: 200, body: { block_number: number } })
  })

  it.each<[string, Headers]>([
    ['X-Access-Key', access(keys.read)],
    ['x-api-key', { 'x-api-key': keys.read }],
    ['Authorization: Bearer', { authorization: `Bearer ${keys.read}` }],
  ])('takes a key by %s', async (_, headers) => {
    expect((await send('GET', blockNumber, headers)).status).toBe(200)
  })

  it.each<[string, Headers]>([
    ['none', {}],
    ['an unknown one', access('nobody-5ecret-00000')],
    ['an empty one', access('')],
  ])('refuses %s in its own form', async (_, headers) => {
    const refused = await send('GET', blockNumber, headers)
    expect(refused).toMatchObject({ status: 401, body: problem('unauthorized', expect.stringContaining('API key')) })
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    expect(JSON.stringify(refused.body)).not.toContain('5ecret')
  })

  it.each([
    ['GET', '/api/v1/nothing'],
    ['POST', '/v2/account/me/project/project/nothing'],
    ['DELETE', blockNumber],
  ])('says that nothing is at %s %s', async (method, path) => {
    expect(await send(method, path)).toMatchObject({ status: 404, body: problem('not_found', expect.any(String)) })
  })

  it('names what is wrong with a request', async () => {
    expect(await send('GET', '/v1/network/1/block-number')).toMatchObject({
      status: 400,
      body: problem('bad_request', expect.stringContaining('network_id: this network is chain 31337, not 1')),
    })
    expect((await send('GET', '/v1/network/0x1/block-number')).body.error.message).toContain('chainId')
  })

  it('counts requests as JSON-RPC does', async () => {
    const statuses = new Set<number>()
    for (let count = 0; count < 52; count++) statuses.add((await send('GET', blockNumber, access(keys.read))).status)
    expect([...statuses]).toEqual([200, 429])
    const refused = await send('GET', blockNumber, access(keys.read))
    expect(refused.body).toEqual(problem('too_many_requests', expect.stringContaining('--rate-limit')))
    expect((await send('POST', '/', access(keys.read), '{"id":1,"method":"eth_chainId"}')).status).toBe(429)
  })

  it('takes and answers no more bytes than JSON-RPC does', async () => {
    const simulate = (bytes: number, key = keys.read) =>
      send(
        'POST',
        '/api/v1/account/me/project/project/simulate',
        access(key),
        JSON.stringify({ network_id: '31337', to: `0x${'5e'.repeat(20)}`, input: `0x${'00'.repeat(bytes)}` }),
      )
    expect((await simulate(10)).status).toBe(200)
    expect(await simulate(20_000)).toMatchObject({
      status: 400,
      body: problem('bad_request', expect.stringContaining('--answer-limit')),
    })
    for (const key of [keys.read, keys.admin])
      expect(await simulate(60_000, key)).toMatchObject({
        status: 413,
        body: problem('payload_too_large', expect.stringContaining('the limit is 100000')),
      })
  })

  it.each([
    ['no JSON', '{', 'not valid JSON'],
    ['a list', '[]', 'expected an object'],
    ['too deep', `{"a":${'['.repeat(300)}${']'.repeat(300)}}`, 'nested more than'],
    ['too many values', `{"a":[${'{},'.repeat(20_000)}0]}`, 'values in a request'],
  ])('refuses a body that is %s', async (_, body, message) => {
    const answer = await send('POST', '/api/v1/account/me/project/project/simulate-bundle', access(keys.read), body)
    expect(answer).toMatchObject({ status: 400, body: { error: { slug: 'bad_request' } } })
    expect(answer.body.error.message).toContain(message)
  })

  it('lets in the pages and hosts that JSON-RPC lets in, and no others', async () => {
    const page = (origin: string) => send('GET', blockNumber, { ...access(keys.read), origin })
    expect((await page('https://app.example')).headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(await page('https://evil.example')).toMatchObject({
      status: 403,
      body: problem('forbidden', expect.stringContaining('--allowed-origin')),
    })
    const preflight = await fetch(network.url + blockNumber, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'x-access-key',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(preflight.headers.get('access-control-allow-headers')).toBe('x-access-key')
    const status = await new Promise((resolve, reject) =>
      request(network.url + blockNumber, { headers: { host: 'evil.example', ...access(keys.admin) } }, (answer) =>
        resolve(answer.resume().statusCode),
      )
        .on('error', reject)
        .end(),
    )
    expect(status).toBe(403)
  })
})

it('lets a key in X-Access-Key call JSON-RPC, over HTTP and WebSocket', async () => {
  const chainId = JSON.stringify({ id: 1, method: 'eth_chainId' })
  expect((await send('POST', '/', access(keys.read), chainId)).body).toMatchObject({ result: '0x7a69' })
  expect((await send('POST', '/', access('nobody-5ecret-00000'), chainId)).status).toBe(401)
  const socket = await openSocket(network.url, access(keys.read))
  expect(await socket.request('eth_chainId')).toBe('0x7a69')
  await socket.close()
})
