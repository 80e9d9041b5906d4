import { connect } from 'node:net'
import type { Random } from '@understudy/testkit'
import type { Faults } from './faults.ts'

const call = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
const hidden = '{"jsonrpc":"2.0","id":1,"method":"evm_mine"}'
const lines = (...parts: string[]) => `${parts.join('\r\n')}`
const post = (body: string, ...headers: string[]) => lines('POST / HTTP/1.1', 'Host: localhost', ...headers, '', body)
const smuggled = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`

/** Input that is not valid HTTP, or barely is. */
const crafted: readonly string[] = [
  ...[
    '\r\n\r\n',
    '\u0000',
    'GET',
    'GET /',
    'GET / HTTP/9.9\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000',
  ],
  ...['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'CONNECT', 'OPTIONS', 'PROPFIND', 'NOPE', 'get'].map((method) =>
    lines(`${method} / HTTP/1.1`, 'Host: localhost', 'Connection: close', '', ''),
  ),
  ...[
    '//',
    '/..',
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/%00',
    '/%',
    '/%zz',
    '/rpc',
    '/rpc/',
    '/rpc/a/b',
    '*',
    'http://evil.example/',
  ].map((path) => lines(`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', '', '')),
  ...[
    `/${'x'.repeat(20_000)}`,
    `/rpc/${'x'.repeat(15_000)}`,
    `/?${'a=b&'.repeat(3000)}`,
    '/api?module=contract&action=getabi&address=0x',
    '/assets/../../package.json',
  ].map((path) => lines(`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', '', '')),
  post('', `X-Long: ${'x'.repeat(20_000)}`, 'Content-Length: 0'),
  post('', ...Array.from({ length: 3000 }, (_, index) => `X-${index}: y`)),
  post(call, `Content-Length: ${call.length}`, `Content-Length: ${call.length + 5}`),
  post(call, 'Content-Length: -1'),
  post(call, 'Content-Length: 99999999999999999999'),
  post(call, 'Content-Length: 0x2f'),
  post(call, 'Content-Length: 99999999'),
  post(`0\r\n\r\n${smuggled}`, `Content-Length: ${call.length}`, 'Transfer-Encoding: chunked'),
  post(`0\r\n\r\n${smuggled}`, 'Transfer-Encoding: chunked', `Content-Length: 4`),
  post(`0\r\n\r\n${smuggled}`, 'Transfer-Encoding: chunked, identity'),
  post(`0\r\n\r\n${smuggled}`, 'Transfer-Encoding : chunked'),
  post(`0\r\n\r\n${smuggled}`, 'Transfer-Encoding: xchunked'),
  post(`zz\r\n${call}\r\n0\r\n\r\n`, 'Transfer-Encoding: chunked'),
  post(`ffffffffffffffff\r\n${call}`, 'Transfer-Encoding: chunked'),
  post(`${call.length.toString(16)};ext=${'x'.repeat(20_000)}\r\n${call}\r\n0\r\n\r\n`, 'Transfer-Encoding: chunked'),
  post(`${call.length.toString(16)}\r\n${call}\r\n0\r\nX-Trailer: 1\r\n\r\n`, 'Transfer-Encoding: chunked'),
  post([...[...call].map((letter) => `1\r\n${letter}\r\n`), '0\r\n\r\n'].join(''), 'Transfer-Encoding: chunked'),
  post(call, 'Expect: 100-continue', `Content-Length: ${call.length}`),
  post(call, 'Expect: nonsense', `Content-Length: ${call.length}`),
  post(call, 'Content-Encoding: gzip', `Content-Length: ${call.length}`),
  ...[
    'application/xml',
    'multipart/form-data; boundary=x',
    ';',
    '/',
    'application/json; charset=utf-16',
    'x'.repeat(5000),
  ].map((type) => post(call, `Content-Type: ${type}`, `Content-Length: ${call.length}`)),
  lines('POST / HTTP/1.1', '', call),
  lines('POST / HTTP/1.1', 'Host: a', 'Host: b', `Content-Length: ${call.length}`, '', call),
  lines('POST / HTTP/1.0', `Content-Length: ${call.length}`, '', call),
  lines('POST / HTTP/1.1', 'Host: localhost', ' folded: x', '', call),
  lines('POST / HTTP/1.1', 'Host: localhost', 'X\u0000Y: x', '', ''),
  'POST / HTTP/1.1\nHost: localhost\nContent-Length: 0\n\n',
  post(call, `Content-Length: ${call.length}`).repeat(50),
  lines('GET / HTTP/1.1', 'Host: localhost', 'Connection: Upgrade', 'Upgrade: h2c', '', ''),
  lines('GET / HTTP/1.1', 'Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket', '', ''),
  lines(
    'POST / HTTP/1.1',
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    '',
    '',
  ),
]

/** Sends what is crafted, whole, cut off or with a byte changed, and looks at what comes back. */
export async function fuzzHttp(
  port: number,
  { count, random, faults }: { count: number; random: Random; faults: Faults },
): Promise<void> {
  for (let index = 0; index < count; index++) {
    const bytes = Buffer.from(random.pick(crafted), 'latin1')
    if (random.below(3) === 0 && bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256)
    const input = random.below(4) === 0 ? bytes.subarray(0, random.below(bytes.length)) : bytes
    await faults.during(input.toString('latin1'), async () => requireHttp(await exchange(port, input)))
  }
}

/** Everything that comes back until the server closes, or says nothing more to a half of a request. */
function exchange(port: number, input: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answered = ''
    socket.setTimeout(quietMs, () => socket.destroy())
    socket.on('data', (chunk) => {
      answered += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answered))
    socket.end(input)
  })
}

/** The end of the input ends the connection; this is for servers that miss it. */
const quietMs = 20_000

function requireHttp(answered: string): void {
  if (answered === '') return
  const status = /^HTTP\/1\.[01] (\d{3}) /.exec(answered)?.[1]
  if (status === undefined) throw new Error(`the answer is not HTTP: ${answered.slice(0, 200)}`)
  if (Number(status) === 500) throw new Error(`the answer is ${answered.slice(0, 300)}`)
  if (/etc\/passwd|root:x:|"workspaces"/.test(answered)) throw new Error(`a file came back: ${answered.slice(0, 300)}`)
}
