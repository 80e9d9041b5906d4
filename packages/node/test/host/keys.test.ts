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
const tenant = 'tenant-5ecret-000001'
const other = 'tenant-5ecret-000002'
const reader = 'reader-5ecret-000001'
const account = '0x00000000000000000000000000000000000000a1'
const endless = '0x5b600056'
/** Requests a second of `tenant`; as many may come at once. */
const rateLimit = 40

let anvil: Anvil
let all: TestHost
beforeAll(async () => {
  anvil = await startAnvil()
  all = await startHost({
    options: { 'call-timeout': 2 },
    networks: { shared: {} },
    keys: [
      { key: owner, role: 'admin' },
      { key: tenant, role: 'admin', scope: 'own', 'network-limit': 1, 'disk-limit': 6, 'rate-limit': rateLimit },
      { key: other, role: 'admin', scope: 'own', 'key-computing': 1 },
      { key: reader, role: 'read' },
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
    expect(await all.http('GET', '/n/shared/health')).toMatchObject({ status: 200, body: { status: 'asleep' } })
    expect(await all.http('POST', '/n/shared', {})).toMatchObject({ status: 401 })
    await expect(openSocket(`${all.url}/n/shared`)).rejects.toThrow()
    expect((await all.http('GET', '/health')).body).toMatchObject({ networks: { awake: 0 } })
    expect(await all.http('POST', '/networks', { name: 'mine' }, reader)).toMatchObject({ status: 403 })
    expect(await all.rpc(`/n/shared/rpc/${reader}`, 'eth_chainId')).toBe('0x7a69')
    await expect(all.rpc('/n/shared', 'dev_setBalance', [account, '1'], reader)).rejects.toEqual(
      kindOf({ kind: 'UNAUTHORIZED' }),
    )
  })

  it('of the scope own uses and removes its own networks only', async () => {
    await create('mine', tenant)
    const notFound = kindOf({ kind: 'HOSTED_NETWORK_NOT_FOUND' })
    for (const name of ['mine', 'shared']) {
      await expect(all.rpc(`/n/${name}`, 'eth_chainId', [], other)).rejects.toEqual(notFound)
      await expect(all.rpc('/', 'dev_removeNetwork', [name], other)).rejects.toEqual(notFound)
      await expect(openSocket(`${all.url}/n/${name}`, { 'x-api-key': other })).rejects.toThrow()
      expect(await all.http('GET', `/n/${name}/metrics`, undefined, other)).toMatchObject({ status: 404 })
    }
    expect(await all.rpc('/', 'dev_getNetworks', [], other)).toEqual([])
    expect(await all.rpc('/n/mine', 'dev_getNetworks', [], owner)).toMatchObject([{ name: 'mine' }, { name: 'shared' }])
    await expect(create('mine', other)).rejects.toEqual(kindOf({ kind: 'HOSTED_NETWORK_EXISTS' }))
  })

  it('makes as many networks as its limit, also when it asks for several at a time', async () => {
    const limited = kindOf({ kind: 'KEY_NETWORK_QUOTA_EXCEEDED', limit: 1 })
    const made = await Promise.allSettled(['a', 'b', 'c'].map((name) => create(name, tenant)))
    expect(made).toEqual(Array(3).fill({ status: 'rejected', reason: limited }))
  })

  it('floods without harm: its requests are refused, those of others are not', async () => {
    // Waking the network takes seconds on a busy machine, in which the quota allows more.
    await all.rpc('/n/mine', 'eth_chainId', [], owner)
    const started = performance.now()
    const flood = await Promise.all(
      Array.from({ length: 300 }, () => all.rpc('/n/mine', 'eth_chainId', [], tenant).catch(({ data }) => data.kind)),
    )
    const seconds = (performance.now() - started) / 1000
    const served = flood.filter((answer) => answer !== 'RATE_LIMITED').length
    expect(flood.length - served).toBeGreaterThan(100)
    expect(served).toBeLessThanOrEqual(rateLimit * (1 + seconds))
    expect(await all.rpc('/n/mine', 'eth_chainId', [], owner)).toBe('0x7a69')
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
    await Promise.all(['x', 'y'].map((name) => create(name, other)))
    const call = (name: string, key: string, code: string) =>
      all.rpc(`/n/${name}`, 'eth_call', [{ to: account, gas: '0xffffffffff' }, 'latest', { [account]: { code } }], key)
    let count = 0
    const next = () => call(count++ % 2 ? 'x' : 'y', other, endless).catch(({ data }) => data?.kind)
    await expect.poll(next).toBe('KEY_COMPUTE_QUOTA_EXCEEDED')
    await expect(call('x', other, '0x00')).rejects.toEqual(kindOf({ kind: 'KEY_COMPUTE_QUOTA_EXCEEDED' }))
    expect(await call('x', owner, '0x00')).toBe('0x')
  })

  it('stores nothing more when its disk is used up, and reads go on', async () => {
    // PostgreSQL compresses what repeats.
    const codeOf = () => `0x00${randomBytes(24_000).toString('hex')}`
    const accounts = Array.from({ length: 300 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}`)
    const batch = accounts.map((address, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'dev_setCode',
      params: [address, codeOf()],
    }))
    for (let at = 0; at < batch.length; at += 50) await all.http('POST', '/n/mine', batch.slice(at, at + 50), owner)
    const full = kindOf({ kind: 'KEY_DISK_QUOTA_EXCEEDED', limit: 6 })
    await expect
      .poll(() => all.rpc('/n/mine', 'dev_setBalance', [account, '1'], owner).catch(({ data }) => data.kind))
      .toBe('KEY_DISK_QUOTA_EXCEEDED')
    await expect(all.rpc('/n/mine', 'evm_mine', [], tenant)).rejects.toEqual(full)
    expect(await all.rpc('/n/mine', 'eth_blockNumber', [], tenant)).toBe('0x0')
    expect(await all.rpc('/', 'dev_removeNetwork', ['mine'], tenant)).toEqual({ removed: true })
    expect(await create('mine', tenant)).toMatchObject({ name: 'mine', state: 'awake' })
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
    const ofCalls = flags.filter((flag) => flag !== 'node-url' && flag !== 'database-url')
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
