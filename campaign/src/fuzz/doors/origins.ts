import { request } from 'node:http'
import type { Target } from '../target.ts'
import { keys } from './keys.ts'

type Case = { headers: Record<string, string>; method?: string; status: number }

const key = { authorization: `Bearer ${keys.read}` }
const page = 'https://app.example'

/** By what somebody tries: names that resolve to this machine, pages of others, and what their browsers ask before. */
const cases: Record<string, Case> = {
  'this machine': { headers: { ...key, host: 'localhost:1' }, status: 200 },
  'a name of somebody else': { headers: { ...key, host: 'evil.example' }, status: 403 },
  'a name that begins with ours': { headers: { ...key, host: 'localhost.evil.example' }, status: 403 },
  'a name that ends with ours': { headers: { ...key, host: 'evil-localhost' }, status: 403 },
  'a user before the name': { headers: { ...key, host: 'localhost@evil.example' }, status: 403 },
  'a number that means this machine to browsers': { headers: { ...key, host: '127.0.0.1.nip.io' }, status: 403 },
  'a page that may': { headers: { ...key, origin: page }, status: 200 },
  'a page that may not': { headers: { ...key, origin: 'https://evil.example' }, status: 403 },
  'a page of nobody': { headers: { ...key, origin: 'null' }, status: 403 },
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
  'a preflight under a name of somebody else': {
    headers: { host: 'evil.example', origin: page, 'access-control-request-method': 'POST' },
    method: 'OPTIONS',
    status: 403,
  },
}

/** `--allowed-origin` of a network that is asked. */
export const originFlags = ['--allowed-origin', page]

/** Asks as pages and under names of others. Answers how many ways were tried. */
export async function tryOrigins({ url }: Target): Promise<number> {
  for (const [name, { headers, method = 'POST', status }] of Object.entries(cases)) {
    const found = await send(url, method, headers)
    if (found.status !== status) throw new Error(`${name}: HTTP ${found.status} instead of ${status}`)
    const allowed = found.allowed
    if (status === 403 && allowed !== undefined)
      throw new Error(`${name}: refused, and allowed to read it (${allowed})`)
  }
  return Object.keys(cases).length
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
