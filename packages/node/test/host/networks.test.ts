import { type Anvil, artifacts, connectClient, deployContract, startAnvil, startFaultProxy } from '@understudy/testkit'
import { pad } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSocket } from '../rawSocket.ts'
import { eventually } from '../startNetwork.ts'
import { startHost, type TestHost } from './startHost.ts'

const account = '0x00000000000000000000000000000000000000a1'
/** Never ends by itself: `loop: jump(loop)`. */
const endless = '0x5b600056'

let anvil: Anvil
let all: TestHost
beforeAll(async () => {
  anvil = await startAnvil()
  all = await startHost({
    options: { 'upstream-timeout': 3000 },
    networks: { live: { 'fork-url': anvil.url }, own: { 'chain-id': 777 }, gone: { 'fork-url': 'http://127.0.0.1:1' } },
    'sleep-after': 1,
    'network-limit': 2,
  })
})
afterAll(async () => {
  await all?.stop()
  await anvil?.stop()
})

type Listed = { name: string; state: string; origin: string; problem: string | null; url: string }
const list = () => all.rpc<Listed[]>('/', 'dev_getNetworks')
const remove = (name: string) => all.rpc('/', 'dev_removeNetwork', [name])
const stateOf = async (name: string) => (await list()).find((network) => network.name === name)?.state

it('serves networks of several chains behind one port, and none notices the others', async () => {
  const [live, own] = await Promise.all([connectClient(`${all.url}/n/live`), connectClient(`${all.url}/n/own`)])
  expect([live.chain.id, own.chain.id]).toEqual([31337, 777])
  const heads = () => Promise.all([live, own].map((client) => client.getBlockNumber({ cacheTime: 0 })))
  const [liveHead = 0n, ownHead] = await heads()
  const address = await deployContract(live, artifacts.Counter, [5n])
  const holder = pad('0xa2', { size: 20 })
  await all.rpc('/n/live', 'dev_setBalance', [holder, '7'])
  expect([await live.getBalance({ address: holder }), await own.getBalance({ address: holder })]).toEqual([7n, 0n])
  expect(await own.getCode({ address })).toBeUndefined()
  expect(await heads()).toEqual([liveHead + 1n, ownHead])
  const { url } = await all.rpc<{ url: string }>('/n/own', 'dev_createBranch', [{ name: 'b' }])
  expect(url).toBe(`${all.url}/n/own/n/b`)
  expect((await connectClient(url)).chain.id).toBe(777)
})

it('serves WebSockets, the dashboard, and the other paths of a network', async () => {
  const socket = await openSocket(`${all.url}/n/own`)
  expect(await socket.request('eth_chainId')).toBe('0x309')
  expect((await fetch(`${all.url}/n/own/wallet.js?branch=b`)).headers.get('content-type')).toContain('javascript')
  const page = await fetch(`${all.url}/n/own/blocks`, { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const head = Number(await all.rpc('/n/own', 'eth_blockNumber'))
  expect(await (await fetch(`${all.url}/n/own/metrics`)).text()).toContain(`understudy_head_block ${head}\n`)
  // Networks with a WebSocket do not sleep; those of other tests do.
  const another = await openSocket(`${all.url}/n/live`)
  const ofAll = await eventually(
    async () => (await fetch(`${all.url}/metrics`)).text(),
    (text) => text.includes('understudy_networks{state="awake"} 2\n'),
  )
  expect(ofAll).toContain('process_resident_memory_bytes')
  for (const each of [socket, another]) await each.close()
  await expect(openSocket(all.url)).rejects.toThrow()
})

it('runs the tracers of all networks in one thread', async () => {
  const host = await startHost({ networks: { first: {}, second: {} } })
  const threads: unknown[] = []
  const note = (thread: unknown) => threads.push(thread)
  process.on('worker', note)
  const tracer = '{ fault() {}, result() { return 7 } }'
  for (const name of ['first', 'second', 'first'])
    expect(await host.rpc(`/n/${name}`, 'debug_traceCall', [{ to: account }, 'latest', { tracer }])).toBe(7)
  process.off('worker', note)
  expect(threads).toHaveLength(1)
  await host.stop()
})

it.each(['/n/none', '/n/..%2Fown', '/n/', '/n/%zz', `/n/${'x'.repeat(5000)}`])('has no network at %s', async (path) => {
  await expect(all.rpc(path.slice(0, 5010), 'eth_chainId')).rejects.toMatchObject({
    data: { kind: 'HOSTED_NETWORK_NOT_FOUND' },
  })
})

it('says why a network cannot be opened, and serves the others', async () => {
  const problem = expect.stringContaining('refused the connection')
  await expect(all.rpc('/n/gone', 'eth_chainId')).rejects.toMatchObject({
    data: { kind: 'HOSTED_NETWORK_UNAVAILABLE', problem },
  })
  expect((await list()).find(({ name }) => name === 'gone')).toMatchObject({ state: 'asleep', problem })
})

it('ends the making of networks whose live chain does not answer, and others do not notice', async () => {
  // Nothing at all, or nothing but where it is.
  const proxies = await Promise.all([startFaultProxy(anvil.url), startFaultProxy(anvil.url)])
  const silent = (): Promise<never> => new Promise(() => {})
  proxies[0]?.set({ answer: silent })
  proxies[1]?.set({ answer: ({ method }) => (/chainId|BlockBy/.test(method) ? undefined : silent()) })
  await all.rpc('/n/own', 'eth_chainId')
  const outcomes = proxies.map(({ url }, index) =>
    all
      .rpc('/', 'dev_createNetwork', [{ name: `silent${index}`, options: { 'fork-url': url } }])
      .catch((error) => error),
  )
  let ended = 0
  for (const outcome of outcomes) void outcome.then(() => ended++)
  await all.rpc('/n/own', 'dev_setBalance', [account, '5'])
  // The other networks wait for three seconds, and longer.
  expect(ended).toBe(0)
  for (const outcome of outcomes) expect(await outcome).toMatchObject({ data: { kind: 'HOSTED_NETWORK_NOT_CREATED' } })
  expect((await list()).map(({ name }) => name).filter((name) => name.startsWith('silent'))).toEqual([])
  await Promise.all(proxies.map((proxy) => proxy.stop()))
}, 30_000)

it('puts quiet networks to sleep, but none with a WebSocket, and wakes them with everything', async () => {
  await all.rpc('/n/own', 'dev_setBalance', [account, '9'])
  await all.rpc('/n/live', 'eth_chainId')
  const socket = await openSocket(`${all.url}/n/live`)
  await eventually(
    () => stateOf('own'),
    (state) => state === 'asleep',
  )
  expect(await all.http('GET', '/n/own/health')).toEqual({ status: 200, body: { status: 'asleep' } })
  expect([await stateOf('own'), await stateOf('live')]).toEqual(['asleep', 'awake'])
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => all.rpc('/n/own', 'eth_getBalance', [account, 'latest'])),
  )
  expect(new Set(answers)).toEqual(new Set(['0x9']))
  await socket.close()
})

it('wipes a network whose schedule wants it when the process has started, and not when it wakes', async () => {
  const balance = () => all.rpc('/n/own', 'eth_getBalance', [account, 'latest'])
  await all.rpc('/n/own', 'mock_setWipeSchedule', [{ onStartup: true }])
  await all.rpc('/n/own', 'dev_setBalance', [account, '7'])
  await eventually(
    () => stateOf('own'),
    (state) => state === 'asleep',
  )
  expect(await balance()).toBe('0x7')
  await all.restart()
  expect(await balance()).toBe('0x0')
  await all.rpc('/n/own', 'mock_setWipeSchedule', [{ onStartup: false }])
})

it('makes and removes networks by calls and over HTTP, and keeps them over a restart', async () => {
  const made = await all.rpc('/', 'dev_createNetwork', [{ name: 'first', options: { 'chain-id': 5 } }])
  expect(made).toMatchObject({ name: 'first', url: `${all.url}/n/first`, state: 'awake', origin: 'call', owner: null })
  const body = { name: 'second', options: { 'fork-url': anvil.url } }
  expect(await all.http('POST', '/networks', body)).toMatchObject({ status: 201, body: { name: 'second' } })
  await expect(all.rpc('/', 'dev_createNetwork', [{ name: 'first' }])).rejects.toMatchObject({
    data: { kind: 'HOSTED_NETWORK_EXISTS' },
  })
  await all.rpc('/n/second', 'dev_setBalance', [account, '3'])
  await all.restart()
  expect(await all.rpc('/n/first', 'eth_chainId')).toBe('0x5')
  expect(await all.rpc('/n/second', 'eth_getBalance', [account, 'latest'])).toBe('0x3')
  await expect(all.rpc('/n/second', 'dev_removeNetwork', ['second'])).rejects.toMatchObject({
    data: { kind: 'CANNOT_REMOVE_FROM_WITHIN' },
  })
  expect(await all.http('DELETE', '/networks/second')).toEqual({ status: 200, body: { removed: true } })
  expect(await all.http('DELETE', '/networks/second')).toMatchObject({ status: 404 })
  expect(await all.http('DELETE', '/networks/own')).toMatchObject({ status: 409 })
  await all.rpc('/', 'dev_createNetwork', [{ name: 'second' }])
  expect(await all.rpc('/n/second', 'eth_getBalance', [account, 'latest'])).toBe('0x0')
  const names = (await list()).map(({ name }) => name)
  expect(names).toEqual(['first', 'gone', 'live', 'own', 'second'])
  for (const name of ['first', 'second']) await remove(name)
})

it.each([
  ['a name of another folder', { name: '../x' }, 'params[0].name'],
  ['a name of the configuration', { name: 'own' }, undefined],
  ['an option of the server', { name: 'third', options: { port: 1 } }, 'params[0].options.port'],
  ['an option with a file', { name: 'third', options: { from: '/etc/passwd' } }, 'params[0].options.from'],
  ['a huge number', { name: 'third', options: { accounts: 1e300 } }, 'params[0].options.accounts'],
  ['an unknown field', { name: 'third', owner: 'me' }, 'params[0].owner'],
])('makes no network with %s', async (_, wanted, field) => {
  const data = field === undefined ? { kind: 'HOSTED_NETWORK_EXISTS' } : { kind: 'INVALID_PARAMS', field }
  await expect(all.rpc('/', 'dev_createNetwork', [wanted])).rejects.toMatchObject({ data })
})

it('leaves nothing of a network that it could not open, and keeps its limit', async () => {
  const wanted = (name: string, url?: string) => ({ name, ...(url && { options: { 'fork-url': url } }) })
  await expect(all.rpc('/', 'dev_createNetwork', [wanted('third', 'http://127.0.0.1:1')])).rejects.toMatchObject({
    data: { kind: 'HOSTED_NETWORK_NOT_CREATED' },
  })
  expect((await list()).map(({ name }) => name)).not.toContain('third')
  const names = ['a', 'b', 'c']
  const made = await Promise.allSettled(names.map((name) => all.rpc('/', 'dev_createNetwork', [wanted(name)])))
  const there = names.filter((_, index) => made[index]?.status === 'fulfilled')
  expect(there).toHaveLength(2)
  expect(made.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { data: { kind: 'HOSTED_NETWORK_LIMIT_EXCEEDED', limit: 2 } },
  })
  for (const name of there) await remove(name)
})

it('removes a network while its requests run, and makes it anew at the same time', async () => {
  const call = (name: string) =>
    all.rpc(`/n/${name}`, 'eth_call', [
      { to: account, gas: '0xffffffffff' },
      'latest',
      { [account]: { code: endless } },
    ])
  await all.rpc('/', 'dev_createNetwork', [{ name: 'first' }])
  const running = call('first').catch((error) => error)
  await eventually(
    () => stateOf('first'),
    (state) => state === 'awake',
  )
  const tasks = Array.from({ length: 6 }, (_, index) =>
    all
      .rpc(
        '/',
        ...((index % 2 ? ['dev_removeNetwork', ['first']] : ['dev_createNetwork', [{ name: 'first' }]]) as [
          string,
          unknown[],
        ]),
      )
      .catch((error) => error.data.kind as string),
  )
  for (const outcome of await Promise.all(tasks))
    if (typeof outcome === 'string')
      expect(outcome).toMatch(/^HOSTED_NETWORK_(EXISTS|NOT_FOUND|NOT_CREATED|LIMIT_EXCEEDED)$/)
  await running
  const isThere = (await list()).some(({ name }) => name === 'first')
  const answer = await all.rpc('/n/first', 'eth_chainId').catch(({ data }) => data.kind)
  expect(answer).toBe(isThere ? '0x7a69' : 'HOSTED_NETWORK_NOT_FOUND')
  if (isThere) await remove('first')
})

it('ends with everybody who uses a network that is removed', async () => {
  const host = await startHost({ options: { 'call-gas-limit': 1e11, 'call-timeout': 60 }, networks: {} })
  await host.rpc('/', 'dev_createNetwork', [{ name: 'brief' }])
  const socket = await openSocket(`${host.url}/n/brief`)
  const heavy = [{ to: account, gas: '0xffffffffff' }, 'latest', { [account]: { code: endless } }]
  const running = host.rpc('/n/brief', 'eth_call', heavy).catch((error) => error)
  await host.rpc('/n/brief', 'eth_chainId')
  await host.rpc('/', 'dev_removeNetwork', ['brief'])
  expect(await running).toMatchObject({ data: { kind: 'NETWORK_STOPPING' } })
  expect(await socket.closed).toMatchObject({ code: 1001 })
  await expect(host.rpc('/n/brief', 'eth_chainId')).rejects.toMatchObject({
    data: { kind: 'HOSTED_NETWORK_NOT_FOUND' },
  })
  await host.stop()
})

it('gives the slot of a network whose live chain hangs to another one', async () => {
  const proxy = await startFaultProxy(anvil.url)
  proxy.set({ answer: ({ method }) => (/chainId|BlockBy/.test(method) ? undefined : new Promise<never>(() => {})) })
  const host = await startHost({
    options: { 'upstream-timeout': 600_000 },
    networks: { hangs: { 'fork-url': proxy.url }, used: {}, next: {} },
    'awake-limit': 2,
  })
  const chainOf = (name: string) => host.rpc(`/n/${name}`, 'eth_chainId').catch(({ data }) => data)
  const socket = await openSocket(`${host.url}/n/used`)
  const waiting = chainOf('hangs')
  await eventually(
    () => chainOf('next'),
    (answer) => answer === '0x7a69',
  )
  expect(await waiting).toEqual({ kind: 'AWAKE_NETWORK_LIMIT_EXCEEDED', limit: 2 })
  expect(await socket.request('eth_chainId')).toBe('0x7a69')
  // It may be tried again, instead of the one that is quiet, and ends with the process.
  const again = chainOf('hangs')
  await eventually(
    () => host.rpc<Listed[]>('/', 'dev_getNetworks'),
    (networks) => networks.some(({ name, state }) => name === 'hangs' && state === 'waking'),
  )
  await socket.close()
  await host.stop()
  expect(await again).toEqual({ kind: 'HOSTED_NETWORK_NOT_FOUND', name: 'hangs' })
  await proxy.stop()
}, 60_000)

it('answers one network while another computes', async () => {
  const block = { [account]: { code: endless } }
  for (const name of ['live', 'own']) await all.rpc(`/n/${name}`, 'eth_chainId')
  const heavy = Array.from({ length: 8 }, () =>
    all.rpc('/n/live', 'eth_call', [{ to: account, gas: '0xffffffffff' }, 'latest', block]).catch(() => {}),
  )
  let ended = 0
  for (const call of heavy) void call.then(() => ended++)
  for (let count = 0; count < 5; count++) await all.rpc('/n/own', 'eth_call', [{ to: account }, 'latest'])
  expect(ended).toBe(0)
  await Promise.all(heavy)
})
