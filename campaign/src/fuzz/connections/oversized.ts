import { request } from 'node:http'
import { WebSocket } from 'ws'
import type { Target } from '../target.ts'
import { keys } from './keys.ts'

const call = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'

/** Errors of a client that was still sending when the connection was closed: the answer may be lost. */
const cutOff = /socket hang up|ECONNRESET|EPIPE/

/** Exceeds every limit of size: each refusal names the limit. Returns how many were tried. */
export async function tryOversized({ url }: Target): Promise<number> {
  const tries: (readonly [name: string, wanted: string, run: () => Promise<string>])[] = [
    ['a body', 'HTTP 413', () => post(url, 'x'.repeat(6_000_000))],
    [
      'a body of an import',
      'HTTP 413',
      () => post(url, `{"method":"dev_importContracts","params":["${'x'.repeat(60_000_000)}`),
    ],
    ['a batch', '-32005', () => post(url, `[${Array(1001).fill(call).join(',')}]`)],
    ['a header', 'HTTP 431', () => post(url, call, { 'x-long': 'x'.repeat(20_000) })],
    ['an address', 'HTTP 431', () => post(`${url}/${'x'.repeat(20_000)}`, call)],
    ['a WebSocket message', '1009', () => overSocket(url, ['x'.repeat(6_000_000)])],
    ['subscriptions', '-32005', () => overSocket(url, Array(1001).fill(rpc('eth_subscribe', 'newHeads')))],
    ['filters', '-32005', () => twice(url, `[${Array(600).fill(rpc('eth_newBlockFilter')).join(',')}]`)],
    ['a limit of blocks', '-32602', () => post(url, rpc('anvil_mine', '0xffffffff'))],
  ]
  for (const [name, wanted, run] of tries) {
    const found = await run()
    if (!found.includes(wanted) && !(wanted.startsWith('HTTP') && cutOff.test(found)))
      throw new Error(`Too much of ${name} was answered ${found.slice(0, 300)}, not ${wanted}`)
  }
  return tries.length
}

const rpc = (method: string, ...params: unknown[]) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

/** Status and text of an answer; a server may close before it has read everything. */
function post(url: string, body: string, headers: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(
      url,
      { method: 'POST', headers: { authorization: `Bearer ${keys.admin}`, ...headers } },
      (response) => {
        let text = `HTTP ${response.statusCode} `
        response.setEncoding('utf8')
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve(text))
      },
    )
    sent.on('error', (error) => resolve(String(error)))
    sent.end(body)
  })
}

async function twice(url: string, body: string): Promise<string> {
  await post(url, body)
  return post(url, body)
}

/** The refusal among the answers to messages, which come in any order; else the last answer, or the code of the close. */
function overSocket(url: string, messages: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/rpc/${keys.read}`)
    let answers = 0
    socket.on('open', () => {
      for (const message of messages) socket.send(message)
    })
    socket.on('message', (data) => {
      const answer = String(data)
      const isRefusal = 'error' in JSON.parse(answer)
      if (++answers < messages.length && !isRefusal) return
      resolve(answer)
      socket.terminate()
    })
    socket.on('close', (code) => resolve(String(code)))
    socket.on('error', reject)
  })
}
