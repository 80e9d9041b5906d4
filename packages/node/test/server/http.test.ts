import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { postJsonRpc, startAnvil, startFaultProxy, testAccounts } from '@understudy/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await startNetwork({
    requestTimeout: 1,
    bodyLimit: 10_000,
    batchLimit: 3,
    allowedHosts: ['devbox.example'],
    allowedOrigins: ['https://app.example'],
  })
})
afterAll(() => network.stop())

const chainIdRequest = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
const chainIdAnswer = '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}'

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; text: string }

/** Sends what fetch would not: any Host header, no content type. */
function send(
  path: string,
  {
    method = 'POST',
    headers = {},
    body = '',
    agent,
  }: { method?: string; headers?: Record<string, string>; body?: string; agent?: Agent } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(network.url + path, { method, headers, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

describe('POST /', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'nonsense',
  ])('answers a body that calls itself %s', async (type) => {
    const { status, headers, text } = await send('/', { headers: { 'content-type': type }, body: chainIdRequest })
    expect([status, headers['content-type'], text]).toEqual([200, 'application/json; charset=utf-8', chainIdAnswer])
  })

  it('answers a body without a content type', async () => {
    expect(await send('/', { body: chainIdRequest })).toMatchObject({ status: 200, text: chainIdAnswer })
  })

  it('answers errors of JSON-RPC with status 200', async () => {
    expect(await send('/', { body: '{"id":1,"method":"eth_nope"}' })).toMatchObject({
      status: 200,
      text: expect.stringContaining('-32601'),
    })
    expect(await send('/', { body: '[]' })).toMatchObject({ status: 200, text: expect.stringContaining('-32600') })
  })

  it.each(['', '{', 'GET / HTTP/1.1'])('answers a parse error to a body that is not JSON: %j', async (body) => {
    const { status, text } = await send('/', { body })
    expect([status, JSON.parse(text)]).toMatchObject([200, { id: null, error: { code: -32700 } }])
  })

  it('answers 204 to notifications alone', async () => {
    expect(await send('/', { body: '{"jsonrpc":"2.0","method":"eth_chainId"}' })).toMatchObject({
      status: 204,
      text: '',
    })
    expect(await send('/', { body: '[{"jsonrpc":"2.0","method":"eth_chainId"}]' })).toMatchObject({
      status: 204,
      text: '',
    })
  })

  it('answers batches in order and refuses those that are too long', async () => {
    const item = (id: number) => ({ id, method: 'eth_chainId' })
    const { text } = await send('/', { body: JSON.stringify([item(2), item(1)]) })
    expect(JSON.parse(text)).toMatchObject([{ id: 2 }, { id: 1 }])
    const tooLong = await send('/', { body: JSON.stringify([item(1), item(2), item(3), item(4)]) })
    expect(JSON.parse(tooLong.text)).toMatchObject({
      error: { code: -32005, data: { kind: 'LIMIT_EXCEEDED', limit: 3 } },
    })
  })

  it.each([10_001, 3_000_000])('refuses a body of %i bytes with 413 and a JSON-RPC error', async (size) => {
    const response = await fetch(network.url, { method: 'POST', body: 'x'.repeat(size) })
    expect([response.status, await response.json()]).toEqual([
      413,
      {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32005,
          message: 'limit exceeded: the body in bytes; the limit is 10000',
          data: { kind: 'LIMIT_EXCEEDED', what: 'the body in bytes', limit: 10_000 },
        },
      },
    ])
  })

  it('answers requests that offer HTTP/2, as those of Java do, in HTTP/1.1', async () => {
    const socket = connect(Number(new URL(network.url).port), '127.0.0.1')
    const offer =
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n'
    const request = `POST / HTTP/1.1\r\nHost: localhost\r\n${offer}Content-Length: ${chainIdRequest.length}\r\n\r\n`
    const next = async () => String(await new Promise((resolve) => socket.once('data', resolve)))
    // The body comes with the headers, and after them; and the connection goes on.
    socket.write(request + chainIdRequest)
    expect(await next()).toMatch(chainIdAnswer)
    const second = next()
    socket.write(request)
    await send('/', { body: chainIdRequest })
    socket.write(chainIdRequest)
    expect(await second).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    socket.destroy()
  })

  it('serves on after a client that hangs up in the middle', async () => {
    const socket = connect(Number(new URL(network.url).port), '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"id":1')
    socket.destroy()
    expect(await send('/', { body: chainIdRequest })).toMatchObject({ text: chainIdAnswer })
  })
})

describe('other addresses', () => {
  it('GET / points the way', async () => {
    expect(await send('/', { method: 'GET' })).toMatchObject({
      status: 200,
      text: expect.stringMatching(
        /^Understudy \d+\.\d+\.\d+: JSON-RPC at POST \/ and by WebSocket, health at GET \/health, metrics at GET \/metrics\n$/,
      ),
    })
  })

  it('GET /health tells where the network stands', async () => {
    const { status, text } = await send('/health', { method: 'GET' })
    const block = { number: expect.any(Number), hash: expect.stringMatching(/^0x/) }
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        status: 'ready',
        problems: [],
        version: expect.any(String),
        chainId: 31337,
        head: { ...block, timestamp: expect.any(Number) },
        base: block,
        upstream: null,
        // Only a database can be shared.
        node: typeof network.location === 'string' ? null : expect.objectContaining({ role: 'sealer' }),
      },
    ])
  })

  it('anything else is 404', async () => {
    const { status, text } = await send('/nowhere', { body: chainIdRequest })
    expect([status, JSON.parse(text)]).toMatchObject([404, { error: { code: -32600 } }])
  })

  it('a path that cannot be decoded is refused, and not repeated', async () => {
    const { status, text } = await send('/rpc/secret/%2<', { method: 'GET' })
    expect([status, JSON.parse(text)]).toMatchObject([400, { error: { code: -32600 } }])
    expect(text).not.toContain('secret')
  })
})

describe('the dashboard', () => {
  const html = { accept: 'text/html,application/xhtml+xml' }

  it.each(['/', '/index.html', '/block/1', '/address/0x00000000000000000000000000000000000000aa?tab=storage'])(
    'is sent to those who open %s in a browser',
    async (path) => {
      const { status, headers, text } = await send(path, { method: 'GET', headers: html })
      expect([status, headers['content-security-policy'], text]).toEqual([
        200,
        expect.stringContaining("default-src 'self'"),
        expect.stringContaining('<div id="root">'),
      ])
    },
  )

  it('has its script compressed, under a name that changes with it', async () => {
    const { text } = await send('/', { method: 'GET', headers: html })
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? ''
    const { status, headers } = await send(script, { method: 'GET', headers: { 'accept-encoding': 'gzip' } })
    expect([status, headers['content-encoding'], headers['cache-control']]).toEqual([
      200,
      'gzip',
      'public, max-age=31536000, immutable',
    ])
  })
})

describe('pages of other origins', () => {
  it('may read answers', async () => {
    const { headers } = await send('/', { headers: { origin: 'http://localhost:3000' }, body: chainIdRequest })
    expect(headers).toMatchObject({ 'access-control-allow-origin': 'http://localhost:3000', vary: 'Origin' })
  })

  it('get an answer to the question that browsers ask before', async () => {
    const { status, headers } = await send('/', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-api-key',
        'access-control-request-private-network': 'true',
      },
    })
    expect([status, headers]).toMatchObject([
      204,
      {
        'access-control-allow-origin': 'https://app.example',
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
        'access-control-allow-headers': 'content-type,x-api-key',
        'access-control-allow-private-network': 'true',
      },
    ])
  })
})

describe('the Host header on loopback', () => {
  it.each([
    'localhost',
    'localhost:8545',
    'LOCALHOST',
    '127.0.0.1:1',
    '[::1]:8545',
    'app.localhost',
    'devbox.example:80',
  ])('may be %s', async (host) => {
    expect(await send('/', { headers: { host }, body: chainIdRequest })).toMatchObject({ text: chainIdAnswer })
  })

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1', '[::2]', 'xdevbox.example'])(
    'may not be %s',
    async (host) => {
      const { status, text } = await send('/', { headers: { host }, body: chainIdRequest })
      expect([status, JSON.parse(text)]).toMatchObject([403, { error: { code: 4100, data: { kind: 'UNAUTHORIZED' } } }])
    },
  )
})

describe('slow clients', () => {
  it.each([
    ['sends nothing', ''],
    ['never ends its headers', 'POST / HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
    ['never ends its body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"id":1'],
  ])('are cut off: one that %s', async (_, sent) => {
    const socket = connect(Number(new URL(network.url).port), '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(sent)
    await closed
    expect(answer).toMatch(/^(HTTP\/1.1 408 |$)/)
    expect(await send('/', { body: chainIdRequest })).toMatchObject({ text: chainIdAnswer })
  })
})

describe('stop', () => {
  it('answers changes that are not done, of the network and of a branch', async () => {
    const anvil = await startAnvil()
    const proxy = await startFaultProxy(anvil.url)
    const { node, url, rpc, stop } = await startNetwork({ forkUrls: [proxy.url] })
    await rpc('dev_createBranch', { name: 'used' })
    const urls = [url, `${url}/n/used`]
    for (const each of urls) await postJsonRpc(each, 'eth_chainId', [])
    // The live chain no longer answers for what a block needs to read, so that blocks are not done.
    const never = new Promise<never>(() => {})
    proxy.resetStats()
    proxy.set({ answer: ({ method }) => (/eth_get(Code|Balance|Proof|Storage)/.test(method) ? never : undefined) })
    const strangers = ['0x00000000000000000000000000000000000000a7', '0x00000000000000000000000000000000000000a8']
    const ended = Promise.all(
      urls.map((each, index) => {
        const transaction = { from: testAccounts[0].address, to: strangers[index], gas: '0x186a0' }
        return postJsonRpc(each, 'eth_sendTransaction', [transaction]).catch(({ data }) => data)
      }),
    )
    await eventually(
      async () => proxy.stats().byMethod.eth_getCode,
      (asked) => asked === strangers.length,
    )
    await node.stop()
    expect(await ended).toEqual([{ kind: 'STOPPED_DURING_CALL' }, { kind: 'STOPPED_DURING_CALL' }])
    await proxy.stop()
    await stop()
    await anvil.stop()
  })

  it('closes connections that are kept alive, and comes back on the same port', async () => {
    const agent = new Agent({ keepAlive: true })
    expect(await send('/', { body: chainIdRequest, agent })).toMatchObject({ status: 200 })
    await network.restart()
    agent.destroy()
    expect(await send('/', { body: chainIdRequest })).toMatchObject({ text: chainIdAnswer })
  })

  it('does not wait for a client that never ends its request', async () => {
    const socket = connect(Number(new URL(network.url).port), '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => {})
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"id":1')
    await send('/', { body: chainIdRequest })
    await network.restart()
    await closed
  })
})
