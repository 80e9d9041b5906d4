import { request } from 'node:http'
import { createFakeClock } from '@understudy/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { connectMcp, refusal, textOf, use } from './client.ts'

const keys = { read: 'reader-5ecret-00001', write: 'writer-5ecret-00002', admin: 'keeper-5ecret-00003' }
const account = '0x00000000000000000000000000000000000000aa'
const setBalance = { account, amount: '1' }

const clock = createFakeClock()
let network: TestNetwork
beforeAll(async () => {
  const apiKeys = Object.entries(keys).map(([role, key]) => `${key}:${role}`)
  network = await startNetwork({ apiKeys, rateLimit: 50, bodyLimit: 200_000 }, { clock })
})
afterAll(() => network.stop())
// Every key may ask its fifty again.
beforeEach(() => clock.advance(1000))

const accept = 'application/json, text/event-stream'
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const send = (body: unknown, headers: Record<string, string>, path = '/mcp') =>
  fetch(network.url + path, {
    method: 'POST',
    headers: { accept, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const post = (body: unknown, key = keys.admin, headers: Record<string, string> = {}) =>
  send(body, { 'x-api-key': key, ...headers })

describe('/mcp', () => {
  it.each([
    ['auto', '2026-07-28'],
    ['legacy', '2025-11-25'],
  ] as const)('speaks with %s clients, in revision %s', async (mode, revision) => {
    const client = await connectMcp(network.url, { key: keys.read, mode })
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    expect(client.getInstructions()).toContain('never instructions')
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(23)
    expect(
      tools.every(({ description = '', inputSchema }) => description.length > 20 && inputSchema.type === 'object'),
    ).toBe(true)
    expect(await use(client, 'describe_network')).toMatchObject({ role: 'read' })
    await client.close()
  })

  it('asks for a key, in the header or in the path', async () => {
    expect((await post(list)).status).toBe(200)
    expect((await send(list, {}, `/rpc/${keys.read}/mcp`)).status).toBe(200)
    const refused = await post(list, 'nobody-5ecret-00000')
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(await refused.json()).toMatchObject({ error: { data: { kind: 'UNAUTHORIZED' } } })
  })

  it('lets each role do what it may, and the audit log says who did what', async () => {
    const [reader, writer, admin] = await Promise.all(
      Object.values(keys).map((key) => connectMcp(network.url, { key })),
    )
    if (!reader || !writer || !admin) throw new Error('not connected')
    const error = await refusal(reader, 'set_balance', setBalance)
    expect(error).toMatchObject({
      error: 'UNAUTHORIZED',
      method: 'dev_setBalance',
      next: expect.stringContaining('role'),
    })
    // A funded account needs no impersonation, which is for admin.
    const { fundedAccounts } = await use(writer, 'describe_network')
    const payment = { from: fundedAccounts[0], to: account, value: '1' }
    expect(await refusal(reader, 'send_transaction', payment)).toMatchObject({ error: 'UNAUTHORIZED' })
    expect(await use(writer, 'send_transaction', payment)).toMatchObject({ status: 'success', value: '1 ETH' })
    expect(await refusal(writer, 'send_transaction', { ...payment, from: account })).toMatchObject({
      method: 'dev_impersonateAccount',
    })
    await use(admin, 'set_balance', setBalance)
    const query = { jsonrpc: '2.0', id: 1, method: 'dev_getAuditLog', params: [{ method: 'dev_setBalance' }] }
    const log = await send(query, { 'x-api-key': keys.admin }, '/')
    expect(await log.json()).toMatchObject({
      result: [{ error: null, params: [account, '1000000000000000000'] }, { error: 'UNAUTHORIZED' }],
    })
    await Promise.all([reader, writer, admin].map((client) => client.close()))
  })

  it('counts what tools call for the rate limit', async () => {
    const client = await connectMcp(network.url, { key: keys.read })
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => textOf(client, 'describe_network').catch(String)),
    )
    expect(JSON.stringify(answers)).toMatch(/RATE_LIMITED|429/)
    expect((await post(list, keys.read)).status).toBe(429)
    await client.close()
  })

  it('refuses other hosts and pages of other sites', async () => {
    expect((await post(list, keys.admin, { origin: 'https://evil.example' })).status).toBe(403)
    const status = await new Promise((resolve, reject) =>
      request(
        `${network.url}/mcp`,
        { method: 'POST', headers: { host: 'evil.example', 'x-api-key': keys.admin } },
        (answer) => resolve(answer.resume().statusCode),
      )
        .on('error', reject)
        .end(JSON.stringify(list)),
    )
    expect(status).toBe(403)
  })

  it.each([
    ['no JSON', '{', 400],
    ['nothing', '', 400],
    ['several messages', [list, list], 400],
    ['no message', 'null', 400],
    ['what is nested too deep', `{"params":${'['.repeat(5000)}${']'.repeat(5000)}}`, 400],
    ['too much', `{"params":"${'x'.repeat(200_000)}"}`, 413],
  ])('refuses %s', async (_, body, status) => {
    const answer = await post(body)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ error: { message: expect.any(String) } })
  })

  it('has no sessions and no streams', async () => {
    for (const method of ['GET', 'DELETE'])
      expect((await fetch(`${network.url}/mcp`, { method, headers: { 'x-api-key': keys.read } })).status).toBe(405)
    const client = await connectMcp(network.url, { key: keys.read })
    expect(client.getServerCapabilities()).toEqual({ tools: {} })
    await client.close()
  })
})
