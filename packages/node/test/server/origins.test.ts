import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openSocket } from '../rawSocket.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await startNetwork({ allowedOrigins: ['https://app.example'] })
})
afterAll(() => network.stop())

type Headers = Record<string, string>

const chainId = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'

/** Everything that is served, by what a page would ask there. */
const paths = {
  'JSON-RPC': ['POST', '/'],
  'JSON-RPC by a path': ['POST', '/rpc/any-key-at-all'],
  health: ['GET', '/health'],
  metrics: ['GET', '/metrics'],
  "Etherscan's reads": ['GET', '/api?module=contract&action=getabi&address=0x00000000000000000000000000000000000000aa'],
  "Etherscan's writes": ['POST', '/api?module=contract&action=verifysourcecode'],
  "Sourcify's reads": ['GET', '/sourcify/v2/contract/31337/0x00000000000000000000000000000000000000aa'],
  "Sourcify's writes": ['POST', '/sourcify/v2/verify/31337/0x00000000000000000000000000000000000000aa'],
  'calls of other nodes': ['POST', '/internal/calls'],
  'an address that there is not': ['POST', '/nowhere'],
  'a preflight': ['OPTIONS', '/'],
} as const

function send(method: string, path: string, headers: Headers, body = chainId) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    const request = httpRequest(network.url + path, { method, headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.on('error', reject)
    request.end(method === 'POST' ? body : undefined)
  })
}

const strangers: Headers[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://localhost.evil.example' },
  { origin: 'http://localhost@evil.example' },
  { origin: 'http://evil.example#localhost' },
  { origin: 'http://127.0.0.1.evil.example' },
  { origin: 'file://' },
  { origin: 'https://app.example.evil' },
  { origin: 'http://app.example' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  { origin: 'chrome-extension://abcdefgh', 'sec-fetch-site': 'cross-site' },
]

describe.each(Object.entries(paths))('%s', (_, [method, path]) => {
  it.each(strangers)('is closed to %j, who may not read why', async (headers) => {
    const preflight = { 'access-control-request-method': 'POST', 'access-control-request-private-network': 'true' }
    const sent = method === 'OPTIONS' ? { ...headers, ...preflight } : headers
    const { status, headers: answered, text } = await send(method, path, { 'content-type': 'text/plain', ...sent })
    expect(status).toBe(403)
    expect(Object.keys(answered).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(JSON.parse(text)).toMatchObject({
      error: { code: 4100, message: expect.stringContaining('--allowed-origin') },
    })
  })
})

describe('JSON-RPC', () => {
  const friends: Headers[] = [
    {},
    { origin: 'http://localhost:3000' },
    { origin: 'https://localhost' },
    { origin: 'http://127.0.0.1:5173' },
    { origin: 'http://127.8.9.10' },
    { origin: 'http://[::1]:3000' },
    { origin: 'http://app.localhost:8080' },
    { origin: 'https://app.example' },
    { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    // Wallets: the user let them ask everywhere.
    { origin: 'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn', 'sec-fetch-site': 'none' },
    { origin: 'moz-extension://7b0a2b4e-6c3a-4f4e-9b43-0c3a3f0b7b0a' },
  ]

  it.each(friends)('is open to %j, over HTTP and WebSocket', async (headers) => {
    const { status, headers: answered } = await send('POST', '/', headers)
    expect([status, answered['access-control-allow-origin']]).toEqual([200, headers.origin])
    const socket = await openSocket(network.url, headers)
    expect(await socket.request('eth_chainId')).toBe('0x7a69')
    await socket.close()
  })

  it.each(strangers)('is closed to %j over WebSocket', async (headers) => {
    await expect(openSocket(network.url, headers)).rejects.toThrow('HTTP 403')
  })
})

describe('a link of another site', () => {
  const navigation = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }

  it('may be followed to the dashboard, in a tab only', async () => {
    const accept = 'text/html'
    expect(await send('GET', '/block/1', { ...navigation, accept, 'sec-fetch-dest': 'document' })).toMatchObject({
      status: 200,
      text: expect.stringContaining('<div id="root">'),
    })
    expect(await send('GET', '/block/1', { ...navigation, accept, 'sec-fetch-dest': 'iframe' })).toMatchObject({
      status: 403,
    })
    expect(await send('POST', '/', { ...navigation, 'sec-fetch-dest': 'document' })).toMatchObject({ status: 403 })
  })

  it('verifies nothing: that needs POST', async () => {
    const path =
      '/api?module=contract&action=verifysourcecode&contractaddress=0x00000000000000000000000000000000000000aa'
    const { status, text } = await send('GET', path, { ...navigation, 'sec-fetch-dest': 'document' })
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { status: '0', message: 'NOTOK', result: expect.stringContaining('POST') },
    ])
  })
})

describe('--allowed-origin *', () => {
  it('opens the network to every page', async () => {
    onTestFinished(() => network.restart())
    await network.restart({ allowedOrigins: ['*'] })
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect(await send('POST', '/', headers)).toMatchObject({ status: 200 })
    expect(await send('POST', '/', { origin: 'null' })).toMatchObject({ status: 200 })
  })
})
