import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const key = 'reader-5ecret-00001'
let network: TestNetwork
beforeAll(async () => {
  network = await startNetwork({ apiKeys: [`keeper-5ecret-00003:admin`, `${key}:read`], bodyLimit: 100_000 })
  await network.rpc('dev_createBranch', { name: 'fast' })
})
afterAll(() => network.stop())

type Connection = { socket: Socket; received(): string; closed: Promise<unknown> }

async function open(): Promise<Connection> {
  const socket = connect(Number(new URL(network.url).port), '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text) => {
    received += text
  })
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.once('connect', resolve))
  return { socket, received: () => received, closed }
}

/** Waits until the connection has received a text. */
async function until({ socket, received, closed }: Connection, text: string): Promise<void> {
  let isOpen = true
  void closed.then(() => {
    isOpen = false
  })
  while (!received().includes(text)) {
    if (!isOpen) throw new Error(`closed before ${text}: ${received()}`)
    await Promise.race([closed, new Promise((resolve) => socket.once('data', resolve))])
  }
}

const auth = `X-Api-Key: ${key}\r\n`
function post(body: string, { headers = auth, length = Buffer.byteLength(body) as number | string } = {}): string {
  return `POST / HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Length: ${length}\r\n\r\n${body}`
}
const postTo = (branch: string, body: string) => post(body).replace('/', `/n/${branch}`)
const call = (id: unknown, method = 'eth_chainId', params: unknown[] = []) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })
/** Ends a conversation, and shows that whatever came before was answered. */
const last = 'GET /last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
/** Served by node:http, which then serves the rest of the connection. */
const first = 'GET /first HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** Sends parts of a stream, each when the answer to the one before has come, and answers everything that came back. */
async function converse(parts: readonly string[]): Promise<string> {
  const connection = await open()
  for (const part of parts) {
    const before = connection.received().length
    connection.socket.write(part)
    while (connection.received().length === before && !connection.socket.destroyed)
      await Promise.race([connection.closed, new Promise((resolve) => connection.socket.once('data', resolve))])
  }
  await connection.closed
  return connection.received()
}

/** Without what changes from second to second, and with header names in one form. */
const comparable = (text: string) =>
  text.replace(/date: .*\r\n/gi, '').replace(/^(content-type|content-length): /gim, (name) => name.toLowerCase())

const slow = call('slow', 'eth_getBalance', ['0x00000000000000000000000000000000000000ab', 'latest'])
const conversations: Record<string, string[]> = {
  'requests one after the other': [post(call(1)), post(call('two')), post(call(3, 'eth_blockNumber'))],
  'text beyond ASCII': [post(call('é€😀')), post(call(1, 'é€😀'))],
  'an answer that is not at once': [post(slow), post(call(1, 'eth_getBalance', ['nonsense'])), post(call(2))],
  'batches and notifications': [
    post(`[${call(1)},${call(2)}]`),
    post('{"jsonrpc":"2.0","method":"eth_chainId"}'),
    post('[]'),
    post(call(2)),
  ],
  'what is no JSON': [post('{'), post('nonsense'), post(call(2))],
  'several requests at once': [post(call(1)) + post(call(2)) + post(slow) + post(call(3))],
  'a method that the key may not call': [post(call(1, 'anvil_mine'))],
  'a key that changes': [
    post(call(1)),
    post(call(2, 'anvil_setBalance'), { headers: 'x-api-key: keeper-5ecret-00003\r\n' }),
    post(call(3), { headers: 'x-api-key: another-5ecret-0009\r\n' }),
  ],
  'a key that is gone': [post(call(1)), post(call(2), { headers: '' })],
  'a host that changes': [post(call(1)), post(call(2), { headers: auth }).replace('localhost', 'evil.example')],
  'a page of a browser': [
    post(call(1)),
    post(call(2), { headers: `${auth}Origin: https://evil.example\r\n` }),
    post(call(3), { headers: `${auth}Sec-Fetch-Site: cross-site\r\n` }),
  ],
  'a branch': [post(call(1)), postTo('fast', call(2)), post(call(3)), postTo('%66ast', call(4, 'eth_blockNumber'))],
  'a branch that is not there': [postTo('none', call(1)), postTo('%ff', call(2)), postTo('..', call(3)), post(call(4))],
  'another path or verb': [post(call(1)), first, post(call(2)), post(call(3)).replace('POST', 'PUT')],
  'a verb in lower case': [post(call(1)), post(call(2)).replace('POST', 'post')],
  'HTTP/1.0': [post(call(1)).replace('1.1', '1.0')],
  'the end of the connection': [post(call(1), { headers: `${auth}Connection: close\r\n` })],
  'a body in chunks': [
    post(call(1)),
    `POST / HTTP/1.1\r\nHost: localhost\r\n${auth}Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n`,
  ],
  'chunks and a length': [post('2\r\n[]\r\n0\r\n\r\n', { headers: `${auth}Transfer-Encoding: chunked\r\n` })],
  'a question before the body': [post(call(1), { headers: `${auth}Expect: 100-continue\r\n` })],
  'two lengths': [post(call(1), { headers: `${auth}Content-Length: 3\r\n` })],
  'a length with a leading zero': [post(call(1), { length: `0${call(1).length}` })],
  'a length with a sign': [post(call(1), { length: `+${call(1).length}` })],
  'a length of nothing': [post('', { length: 0 })],
  'no length': [`POST / HTTP/1.1\r\nHost: localhost\r\n${auth}\r\n`],
  'no host': [post(call(1)).replace('Host: localhost\r\n', '')],
  'two hosts': [post(call(1), { headers: `${auth}Host: evil.example\r\n` })],
  'a folded header': [post(call(1), { headers: `${auth}X-Folded: a\r\n b\r\n` })],
  'a header without a name': [post(call(1), { headers: `${auth}: a\r\n` })],
  'a space before the colon': [post(call(1), { headers: `${auth}X-Space : a\r\n` })],
  'a line feed alone': [post(call(1), { headers: `${auth}X-Line: a\nX-Next: b\r\n` })],
  'a control character': [post(call(1), { headers: `${auth}X-Control: \u0001\r\n` })],
  'a body that is too large': [post(call('x'.repeat(100_000)))],
  'a body larger than one read': [post(call('x'.repeat(90_000)))],
}

it.each(Object.keys(conversations))('answers as node:http does: %s', async (name) => {
  const parts = conversations[name] as string[]
  const [quick, general, lead] = await Promise.all([
    converse([...parts, last]),
    converse([first, ...parts, last]),
    converse([first, last]),
  ])
  const answerToFirst = lead.slice(0, lead.indexOf('HTTP/1.1', 1))
  expect(comparable(answerToFirst + quick)).toBe(comparable(general))
})

it('refuses a request with two hosts, also where both are this machine', async () => {
  const request = post(call(1), { headers: `${auth}Host: localhost\r\n` })
  for (const parts of [
    [request, last],
    [first, request, last],
  ])
    expect(await converse(parts)).toContain('HTTP/1.1 400 Bad Request')
})

it('puts a request together from its parts', async () => {
  for (const text of [post(call(1)), post(call('é€😀'))]) {
    const bytes = Buffer.from(text)
    const expected = comparable(await converse([text, last]))
    for (let at = 1; at < bytes.length; at += 7) {
      const connection = await open()
      connection.socket.setNoDelay(true)
      connection.socket.write(bytes.subarray(0, at))
      await new Promise(setImmediate)
      connection.socket.write(bytes.subarray(at))
      await until(connection, '"result"')
      connection.socket.write(last)
      await connection.closed
      expect(comparable(connection.received())).toBe(expected)
    }
  }
})

it('serves a WebSocket on a connection that has answered', async () => {
  const connection = await open()
  connection.socket.write(post(call(1)))
  await until(connection, '"result"')
  connection.socket.write(
    `GET / HTTP/1.1\r\nHost: localhost\r\n${auth}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  )
  await until(connection, '101 Switching Protocols')
  connection.socket.destroy()
})

it('closes a connection of a client that ends its side', async () => {
  const connection = await open()
  connection.socket.end(post(call(1)))
  await connection.closed
  expect(connection.received()).toContain('"result"')
})

it('goes on with what came while a request was answered, when it was answered', async () => {
  const connection = await open()
  const address = '0x00000000000000000000000000000000000000cd'
  connection.socket.write(post(call('first', 'eth_getBalance', [address, 'latest'])))
  await new Promise(setImmediate)
  connection.socket.write(post(call('second')))
  await until(connection, '"id":"second"')
  expect(connection.received().indexOf('"id":"first"')).toBeLessThan(connection.received().indexOf('"id":"second"'))
  connection.socket.destroy()
})
