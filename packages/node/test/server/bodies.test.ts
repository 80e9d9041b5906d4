import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const key = 'keeper-5ecret-00003'
const others = { read: 'reader-5ecret-00001', write: 'writer-5ecret-00002' }

let network: TestNetwork
beforeAll(async () => {
  const apiKeys = [`${key}:admin`, ...Object.entries(others).map(([role, other]) => `${other}:${role}`)]
  network = await startNetwork({ apiKeys, bodyLimit: 10_000, importBodyLimit: 3_000_000 })
})
afterAll(() => network.stop())

/** Sends headers that announce a body, and none of it. Resolves with what was answered when the connection ends. */
function announce(path: string, body: string, headers = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(network.url).port), '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n${headers}${body}\r\n\r\n`,
    )
  })
}

const contract = '31337/0x00000000000000000000000000000000000000aa'

describe.each([
  ['/', 401],
  ['/rpc/nobody-5ecret-00000', 401],
  ['/api', 401],
  ['/api/', 401],
  ['/rpc/nobody-5ecret-00000/api', 401],
  [`/sourcify/v2/verify/${contract}`, 401],
  [`/rpc/nobody-5ecret-00000/sourcify/v2/verify/${contract}`, 401],
  ['/nowhere', 404],
  ['/metrics', 404],
])('a body for %s, without a key,', (path, status) => {
  it.each(['Content-Length: 50000000', 'Transfer-Encoding: chunked'])(
    'is not waited for, and ends with its connection: %s',
    async (length) => {
      expect(await announce(path, length)).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*connection: close`, 'i'))
    },
  )
})

describe.each(['/api', `/sourcify/v2/verify/${contract}`, '/rpc/KEY/api'])('a body for %s, with a key,', (path) => {
  it('may be as large as other bodies, not as large as imports', async () => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const post = (size: number) =>
      fetch(network.url + path.replace('KEY', key), { method: 'POST', headers, body: `"${'x'.repeat(size - 2)}"` })
    expect((await post(10_001)).status).toBe(413)
    expect((await post(10_000)).status).not.toBe(413)
  })
})

describe('a body as large as imports may be', () => {
  it.each(['read', 'write'] as const)('is not read from a key with the role %s', async (role) => {
    const auth = `X-Api-Key: ${others[role]}\r\n`
    expect(await announce('/', 'Content-Length: 2000000', auth)).toMatch(/^HTTP\/1.1 413 .*the limit is 10000/s)
    // `announce` ends it.
    const chunk = `5004\r\n${'x'.repeat(0x5000)}`
    expect(await announce('/', `Transfer-Encoding: chunked\r\n\r\n${chunk}`, auth)).toMatch(
      /^HTTP\/1.1 413 .*the limit is 10000/s,
    )
  })

  it('is read from one that may import', async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"anvil_loadState","params":["${'x'.repeat(2_000_000)}"]}`
    const response = await fetch(network.url, { method: 'POST', headers: { 'x-api-key': key }, body })
    expect([response.status, await response.json()]).toMatchObject([200, { error: { code: -32602 } }])
  })
})

describe('a key of verification', () => {
  const ask = (path: string, params: Record<string, string>, method = 'POST', headers = {}) => {
    const query = new URLSearchParams({ module: 'contract', action: 'verifysourcecode', ...params })
    return method === 'POST'
      ? fetch(network.url + path, { method, headers, body: query })
      : fetch(`${network.url}${path}?${query}`, { headers })
  }

  it.each([
    ['in the path', `/rpc/${key}/api`, {}],
    ['in the query', `/api?apikey=${key}`, {}],
    ['in a header', '/api', { 'x-api-key': key }],
  ])('is taken %s', async (_, path, headers) => {
    expect(await (await ask(path, {}, 'POST', headers)).json()).toMatchObject({
      result: expect.stringContaining('expected a 20-byte address'),
    })
  })

  it('is not looked for in the body, which is not read before', async () => {
    const response = await ask('/api', { apikey: key })
    expect([response.status, await response.json()]).toEqual([
      401,
      { status: '0', message: 'NOTOK', result: expect.stringContaining('in the path /rpc/KEY') },
    ])
  })
})
