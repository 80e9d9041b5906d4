import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Anvil, startAnvil } from '@understudy/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { options } from '../../src/config/options.ts'
import { readHostConfig } from '../../src/host/hostConfig.ts'
import { openSocket } from '../rawSocket.ts'
import { isInDatabase } from '../testDatabase.ts'
import { startHost, type TestHost } from './startHost.ts'

const owner = 'owner-of-everything-1'
const reader = 'reader-5ecret-000001'
/** Of the scope `own`: each test that makes networks or uses up a quota has keys of its own. */
const [tenant, stranger, crowded, flooding, computing, storing] = Array.from(
  { length: 6 },
  (_, index) => `tenant-5ecret-00000${index + 1}`,
) as [string, string, string, string, string, string]
const account = '0x00000000000000000000000000000000000000a1'
const endless = '0x5b600056'
/** Requests a second of `flooding`; as many may come at once. */
const rateLimit = 10

let anvil: Anvil
let all: TestHost
beforeAll(async () => {
  anvil = await startAnvil()
  all = await startHost({
    options: { 'call-timeout': 2 },
    networks: { shared: {}, quiet: {} },
    keys: [
      { key: owner, role: 'admin' },
      { key: reader, role: 'read' },
      ...[
        { key: tenant },
        { key: stranger },
        { key: crowded, 'network-limit': 1 },
        { key: flooding, 'rate-limit': rateLimit },
        { key: computing, 'key-computing': 1 },
        { key: storing, 'disk-limit': 6 },
      ].map((limits) => ({ ...limits, role: 'admin', scope: 'own' })),
    ],
  })
})
afterAll(async () => {
  await all?.stop()
  await anvil?.stop()
})

const create = (name: string, key: string) => all.rpc('/', 'dev_createNetwork', [{ name }], key)
const kindOf = (data: object) => expect.objectContaining({ data: expect.objectContaining(data) })

describe('a key of the host', () => {
  it('is needed, and has its role at the root and at each network', async () => {
    expect(await all.http('GET', '/networks')).toMatchObject({ status: 401 })
    const health = () => all.http('GET', '/n/quiet/health')
    expect(await health()).toMatchObject({ status: 200, body: { status: 'asleep' } })
    expect(await all.http('POST', '/n/quiet', {})).toMatchObject({ status: 401 })
    await expect(openSocket(`${all.url}/n/quiet`)).rejects.toThrow()
    expect(await health()).toMatchObject({ status: 200, body: { status: 'asleep' } })
    expect(await all.http('POST', '/networks', { name: 'mine' }, reader)).toMatchObject({ status: 403 })
    expect(await all.rpc(`/n/quiet/rpc/${reader}`, 'eth_chainId')).toBe('0x7a69')
    await expect(all.rpc('/n/quiet', 'dev_setBalance', [account, '1'], reader)).rejects.toEqual(
      kindOf({ kind: 'UNAUTHORIZED' }),
    )
  })

  it('of the scope own uses and removes its own networks only', async () => {
    await create('mine', tenant)
    const notFound = kindOf({ kind: 'HOSTED_NETWORK_NOT_FOUND' })
    for (const name of ['mine', 'shared']) {
      await expect(all.rpc(`/n/${name}`, 'eth_chainId', [], stranger)).rejects.toEqual(notFound)
      await expect(all.rpc('/', 'dev_removeNetwork', [name], stranger)).rejects.toEqual(notFound)
      await expect(openSocket(`${all.url}/n/${name}`, { 'x-api-key': stranger })).rejects.toThrow()
      expect(await all.http('GET', `/n/${name}/metrics`, undefined, stranger)).toMatchObject({ status: 404 })
    }
    expect(await all.rpc('/', 'dev_getNetworks', [], stranger)).toEqual([])
    const seen = async (key: string) =>
      (await all.rpc<{ name: string }[]>('/n/mine', 'dev_getNetworks', [], key)).map(({ name }) => name)
    expect(await seen(owner)).toEqual(expect.arrayContaining(['mine', 'shared']))
    expect(await seen(tenant)).toEqual(['mine'])
    await expect(create('mine', stranger)).rejects.toEqual(kindOf({ kind: 'HOSTED_NETWORK_EXISTS' }))
  })

  it('makes as many networks as its limit, also when it asks for several at a time', async () => {
    const limited = kindOf({ kind: 'KEY_NETWORK_QUOTA_EXCEEDED', limit: 1 })
    const made = await Promise.allSettled(['a', 'b', 'c'].map((name) => create(name, crowded)))
    const refused = made.filter(({ status }) => status === 'rejected')
    expect(refused).toEqual(Array(2).fill({ status: 'rejected', reason: limited }))
    await expect(create('d', crowded)).rejects.toEqual(limited)
  })

  it('floods without harm: its requests are refused, those of others are not', async () => {
    await create('flooded', flooding)
    // Waking the network takes seconds on a busy machine, in which the quota allows more.
    await all.rpc('/n/flooded', 'eth_chainId', [], owner)
    const started = performance.now()
    const flood = await Promise.all(
      Array.from({ length: 300 }, () =>
        all.rpc('/n/flooded', 'eth_chainId', [], flooding).catch(({ data }) => data.kind),
      ),
    )
    const seconds = (performance.now() - started) / 1000
    const served = flood.filter((answer) => answer !== 'RATE_LIMITED').length
    expect(flood.length - served).toBeGreaterThan(100)
    expect(served).toBeLessThanOrEqual(rateLimit * (1 + seconds))
    expect(await all.rpc('/n/flooded', 'eth_chainId', [], owner)).toBe('0x7a69')
  })

  // Nodes that share a network refuse another URL.
  it.skipIf(isInDatabase)('learns no header of the live chain by a URL of its own', async () => {
    const seen: IncomingMessage[] = []
    const spy = createServer((request, response) => {
      seen.push(request)
      const forwarded = async () => {
        const body = (await request.toArray()).join('')
        const headers = { 'content-type': 'application/json' }
        response.end(await (await fetch(anvil.url, { method: 'POST', headers, body })).text())
      }
      forwarded().catch(() => response.destroy())
    })
    await once(spy.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(spy.address() as AddressInfo).port}`
    const host = await startHost({
      options: { 'fork-url': anvil.url, 'fork-header': 'Authorization: 5ecret' },
      keys: [{ key: tenant, role: 'admin', scope: 'own' }],
    })
    await host.rpc('/', 'dev_createNetwork', [{ name: 'mine' }], tenant)
    for (const [method, ...params] of [
      ['anvil_setRpcUrl', url],
      ['eth_getBalance', account, 'latest'],
      ['anvil_reset', { forking: { jsonRpcUrl: url } }],
      ['eth_getBalance', account, 'latest'],
    ] as const)
      await host.rpc('/n/mine', method, params, tenant)
    await host.rpc('/', 'dev_createNetwork', [{ name: 'other', options: { 'fork-url': url } }], tenant)
    await host.stop()
    spy.close()
    expect(seen.length).toBeGreaterThan(3)
    expect(seen.filter(({ headers }) => JSON.stringify(headers).includes('5ecret'))).toEqual([])
  })

  it('computes for no longer than its quota, in all its networks together', async () => {
    await Promise.all(['x', 'y'].map((name) => create(name, computing)))
    const call = (name: string, key: string, code: string) =>
      all.rpc(`/n/${name}`, 'eth_call', [{ to: account, gas: '0xffffffffff' }, 'latest', { [account]: { code } }], key)
    let count = 0
    const next = () => call(count++ % 2 ? 'x' : 'y', computing, endless).catch(({ data }) => data?.kind)
    await expect.poll(next).toBe('KEY_COMPUTE_QUOTA_EXCEEDED')
    await expect(call('x', computing, '0x00')).rejects.toEqual(kindOf({ kind: 'KEY_COMPUTE_QUOTA_EXCEEDED' }))
    expect(await call('x', owner, '0x00')).toBe('0x')
  })

  it('stores nothing more when its disk is used up, and reads go on', async () => {
    await create('stored', storing)
    // PostgreSQL compresses what repeats.
    const codeOf = () => `0x00${randomBytes(24_000).toString('hex')}`
    const accounts = Array.from({ length: 300 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}`)
    const batch = accounts.map((address, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'dev_setCode',
      params: [address, codeOf()],
    }))
    for (let at = 0; at < batch.length; at += 50) await all.http('POST', '/n/stored', batch.slice(at, at + 50), owner)
    const full = kindOf({ kind: 'KEY_DISK_QUOTA_EXCEEDED', limit: 6 })
    await expect
      .poll(() => all.rpc('/n/stored', 'dev_setBalance', [account, '1'], owner).catch(({ data }) => data.kind))
      .toBe('KEY_DISK_QUOTA_EXCEEDED')
    await expect(all.rpc('/n/stored', 'evm_mine', [], storing)).rejects.toEqual(full)
    expect(await all.rpc('/n/stored', 'eth_blockNumber', [], storing)).toBe('0x0')
    expect(await all.rpc('/', 'dev_removeNetwork', ['stored'], storing)).toEqual({ removed: true })
    expect(await create('stored', storing)).toMatchObject({ name: 'stored', state: 'awake' })
  })
})

describe('a file of networks', () => {
  it.each([
    [[], 'f.json'],
    [{ network: {} }, 'f.json: network'],
    [{ networks: { '../x': {} } }, 'f.json: networks.../x'],
    [{ networks: { a: { port: 1 } } }, 'f.json: networks.a: port'],
    [{ networks: { a: { 'fork-urll': 'x' } } }, 'f.json: networks.a: fork-urll'],
    [{ networks: { a: { accounts: -1 } } }, 'f.json: networks.a: accounts'],
    [{ options: { 'audit-file': 'x' } }, 'f.json: options: audit-file'],
    [{ options: { host: '0.0.0.0' } }, 'f.json: options: host'],
    [{ keys: [{ key: 'short', role: 'admin' }] }, 'f.json: keys[0].key'],
    [{ keys: [owner, owner].map((key) => ({ key, role: 'admin' })) }, 'f.json: keys[1].key'],
    [{ keys: [{ key: owner, role: 'root' }] }, 'f.json: keys[0].role'],
    [{ keys: [{ key: owner, role: 'admin', 'disk-limit': 1e300 }] }, 'f.json: keys[0].disk-limit'],
    [{ 'sleep-after': 0 }, 'f.json: sleep-after'],
    [{ 'awake-limit': '5' }, 'f.json: awake-limit'],
  ])('%j is refused by its field', (options, option) => {
    const read = () => readHostConfig({ path: 'f.json', options })
    expect(read).toThrow(
      expect.objectContaining({ kind: 'CONFIG_INVALID', details: expect.objectContaining({ option }) }),
    )
  })

  it('gives what authenticates at one live chain to no other one', () => {
    const common = { 'fork-url': 'https://a.example', 'fork-header': 'Authorization: x', 'explorer-key': 'k' }
    const { configOf } = readHostConfig({ path: 'f.json', options: { options: common } })
    expect(configOf({}).forkHeaders).toEqual({ Authorization: 'x' })
    expect(configOf({ 'fork-url': 'https://b.example' }).forkHeaders).toEqual({})
    expect(configOf({ 'explorer-url': 'https://b.example' }).explorerKey).toBeUndefined()
    // Nor headers of a caller to that of all.
    expect(() => configOf({ 'fork-header': 'Authorization: y' })).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ field: 'params[0].options.fork-header' }) }),
    )
    expect(configOf({ 'fork-url': 'https://b.example', 'fork-header': 'X: y' }).forkHeaders).toEqual({ X: 'y' })
  })

  it('asks no URL that a caller names, where callers may name none', () => {
    const flags = Object.values(options).flatMap(({ flag, placeholder }) => (placeholder === 'URL' ? [flag] : []))
    const ofServer = ['node-url', 'public-url', 'database-url']
    const ofCalls = flags.filter((flag) => !ofServer.includes(flag))
    expect(ofCalls).toEqual(['fork-url', 'explorer-url', 'sourcify-url', 'blockscout-url'])
    for (const common of [{ 'reset-to-url': false }, { insecure: true }]) {
      const { configOf } = readHostConfig({ path: 'f.json', options: { options: common } })
      for (const flag of ofCalls)
        expect(() => configOf({ [flag]: 'http://169.254.169.254/' })).toThrow(
          expect.objectContaining({
            kind: 'INVALID_PARAMS',
            details: expect.objectContaining({ field: `params[0].options.${flag}` }),
          }),
        )
    }
  })
})
