import { request } from 'node:http'
import { WebSocket } from 'ws'
import type { Target } from '../target.ts'
import { keys } from './keys.ts'

type Case = { headers: Record<string, string>; method?: string; status: number }

const key = { authorization: `Bearer ${keys.read}` }
const page = 'https://app.example'

/** Attacks by name: host names that resolve to this machine, pages of other sites, and preflight requests. */
const cases: Record<string, Case> = {
  'this machine': { headers: { ...key, host: 'localhost:1' }, status: 200 },
  'a foreign host name': { headers: { ...key, host: 'evil.example' }, status: 403 },
  'a name that begins with ours': { headers: { ...key, host: 'localhost.evil.example' }, status: 403 },
  'a name that ends with ours': { headers: { ...key, host: 'evil-localhost' }, status: 403 },
  'a user before the name': { headers: { ...key, host: 'localhost@evil.example' }, status: 403 },
  'a number that means this machine to browsers': { headers: { ...key, host: '127.0.0.1.nip.io' }, status: 403 },
  'a page that may': { headers: { ...key, origin: page }, status: 200 },
  'a page that may not': { headers: { ...key, origin: 'https://evil.example' }, status: 403 },
  'a page without an origin': { headers: { ...key, origin: 'null' }, status: 403 },
  'a page whose name begins alike': { headers: { ...key, origin: `${page}.evil` }, status: 403 },
  'a preflight of a page that may': {
    headers: {
      origin: page,
      'access-control-request-method': 'POST',
      'access-control-request-private-network': 'true',
    },
    method: 'OPTIONS',
    status: 204,
  },
  'a preflight of a page that may not': {
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    method: 'OPTIONS',
    status: 403,
  },
  'a preflight with a foreign host name': {
    headers: { host: 'evil.example', origin: page, 'access-control-request-method': 'POST' },
    method: 'OPTIONS',
    status: 403,
  },
}

/** Headers of browsers on pages that are not allowed. */
const strangers: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'file://' },
  { origin: 'http://localhost.evil.example' },
  { origin: 'http://localhost@evil.example' },
  { origin: 'http://evil.example#@localhost' },
  { origin: 'http://127.0.0.1.evil.example:80' },
  { origin: 'http://[::1].evil.example' },
  { origin: 'http://0.0.0.0' },
  { origin: 'localhost' },
  { origin: '' },
  { origin: 'chrome-extension://abcdefgh', 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
]
/** Headers of a browser on pages of this machine. */
const friends = ['http://localhost:3000', 'http://127.0.0.1', 'https://app.localhost', 'http://[::1]:5173', page]

const contract = '0x00000000000000000000000000000000000000aa'
/** Every path that reads or changes something. */
const addresses: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/'],
  ['GET', '/health'],
  ['GET', '/metrics'],
  ['GET', `/api?module=contract&action=getabi&address=${contract}`],
  ['POST', '/api?module=contract&action=verifysourcecode'],
  ['GET', `/sourcify/v2/contract/1337/${contract}`],
  ['POST', `/sourcify/v2/verify/1337/${contract}`],
  ['POST', '/internal/calls'],
  ['POST', '/nowhere'],
  ['OPTIONS', '/'],
]

/** `--allowed-origin` of the network. */
export const originFlags = ['--allowed-origin', page]

/** Sends requests with foreign origins and host names. Returns how many were tried. */
export async function tryOrigins({ url }: Target): Promise<number> {
  for (const [name, { headers, method = 'POST', status }] of Object.entries(cases)) {
    const found = await send(url, method, headers)
    if (found.status !== status) throw new Error(`${name}: HTTP ${found.status} instead of ${status}`)
    const allowed = found.allowed
    if (status === 403 && allowed !== undefined)
      throw new Error(`${name}: refused, and allowed to read it (${allowed})`)
  }
  for (const headers of strangers) {
    for (const [method, path] of addresses) {
      const { status, allowed } = await send(url + path, method, { ...key, 'content-type': 'text/plain', ...headers })
      if (status !== 403 || allowed !== undefined)
        throw new Error(`${method} ${path} of ${JSON.stringify(headers)}: HTTP ${status}, ${allowed} instead of 403`)
    }
    const opened = await upgrade(url, { ...key, ...headers })
    if (opened !== 403) throw new Error(`A WebSocket of ${JSON.stringify(headers)}: HTTP ${opened} instead of 403`)
  }
  for (const origin of friends) {
    const { status, allowed } = await send(url, 'POST', { ...key, origin })
    const opened = await upgrade(url, { ...key, origin })
    if (status !== 200 || allowed !== origin || opened !== 101)
      throw new Error(`${origin}: HTTP ${status}, ${allowed}, and ${opened} over WebSocket`)
  }
  return Object.keys(cases).length + strangers.length * (addresses.length + 1) + friends.length * 2
}

/** The status of the answer to a WebSocket handshake. */
function upgrade(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers })
    socket.on('open', () => {
      resolve(101)
      socket.terminate()
    })
    socket.on('unexpected-response', (_, response) => {
      resolve(response.statusCode)
      response.destroy()
    })
    socket.on('error', reject)
  })
}

function send(url: string, method: string, headers: Record<string, string>) {
  return new Promise<{ status: number | undefined; allowed: unknown }>((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      response.resume()
      response.on('end', () =>
        resolve({ status: response.statusCode, allowed: response.headers['access-control-allow-origin'] }),
      )
    })
    sent.on('error', reject)
    sent.end(method === 'POST' ? '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}' : undefined)
  })
}
