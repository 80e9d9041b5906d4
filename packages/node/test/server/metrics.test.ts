import { type Anvil, startAnvil } from '@understudy/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSocket } from '../rawSocket.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const key = 'reader-5ecret-00001'
let anvil: Anvil
let network: TestNetwork
beforeAll(async () => {
  anvil = await startAnvil()
  network = await startNetwork({ forkUrls: [anvil.url], apiKeys: [`${key}:admin`], proxyUnknown: true })
})
afterAll(async () => {
  await network.stop()
  await anvil.stop()
})

/** The samples of `GET /metrics`, by name and labels. */
async function scrape(): Promise<Map<string, number>> {
  const response = await fetch(`${network.url}/metrics`, { headers: { 'x-api-key': key } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')])
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

describe('GET /metrics', () => {
  it('asks for a key', async () => {
    expect((await fetch(`${network.url}/metrics`)).status).toBe(401)
  })

  it('counts requests by method and outcome, with their times', async () => {
    const before = await scrape()
    await network.rpc('eth_getBalance', '0x00000000000000000000000000000000000000aa')
    await network.rpc('eth_getBalance', '0x12').catch(() => {})
    await network.rpc('anvil_nope').catch(() => {})
    const after = await scrape()
    const added = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    expect(added('understudy_requests_total{method="eth_getBalance",outcome="ok"}')).toBe(1)
    expect(added('understudy_requests_total{method="eth_getBalance",outcome="INVALID_PARAMS"}')).toBe(1)
    expect(added('understudy_requests_total{method="unknown",outcome="METHOD_NOT_FOUND"}')).toBe(1)
    expect(added('understudy_request_seconds_count{method="eth_getBalance"}')).toBe(2)
    expect([...after.keys()].filter((name) => name.startsWith('understudy_key_requests_total'))).toEqual([
      expect.stringMatching(/\{key="[\da-f]{8}",role="admin"\}$/),
    ])
  })

  it('tells where the network stands, what it asked upstream, and who listens', async () => {
    const socket = await openSocket(`${network.url}/rpc/${key}`)
    await socket.request('eth_subscribe', 'newHeads')
    await network.rpc('eth_newBlockFilter')
    await network.rpc('evm_mine')
    const samples = await scrape()
    const { header, base } = network.node.services.history.head()
    expect(samples.get('understudy_head_block')).toBe(Number(header.number))
    expect(samples.get('understudy_base_block')).toBe(Number(base.number))
    expect(samples.get('understudy_upstream_reachable')).toBe(1)
    expect(samples.get('understudy_upstream_lag_blocks')).toBe(0)
    expect(samples.get('understudy_pool_transactions')).toBe(0)
    expect(samples.get('understudy_websocket_connections')).toBe(1)
    expect(samples.get('understudy_subscriptions')).toBe(1)
    expect(samples.get('understudy_filters')).toBe(1)
    expect(samples.get('understudy_upstream_requests_total{method="eth_chainId",kind="requests"}')).toBeGreaterThan(0)
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(0)
    await socket.close()
  })
})

describe('dev_getUpstreamUsage', () => {
  it('counts what was asked of the live chain', async () => {
    const { methods, ...totals } = await network.rpc<{ httpRequests: number; methods: Record<string, unknown> }>(
      'dev_getUpstreamUsage',
    )
    expect(totals).toMatchObject({ httpRequests: expect.any(Number), bytesSent: expect.any(Number) })
    expect(methods.eth_getBlockByNumber).toEqual({
      requests: expect.any(Number),
      shared: expect.any(Number),
      calls: expect.any(Number),
      retries: expect.any(Number),
      errors: expect.any(Number),
    })
  })
})

describe('--proxy-unknown', () => {
  it('sends reads that are unknown here to the live chain', async () => {
    expect(await network.rpc('eth_networkId')).toBe(await anvil.rpc('eth_networkId'))
  })

  it('does not send what may change something, or what upstream does not have', async () => {
    for (const method of ['eth_sendBundle', 'anvil_nope', 'eth_nope'])
      await expect(network.rpc(method)).rejects.toMatchObject({ code: -32601 })
  })
})
