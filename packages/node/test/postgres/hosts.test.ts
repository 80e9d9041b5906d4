import { type Anvil, startAnvil } from '@understudy/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newDeployment, startHost, type TestHost } from '../host/startHost.ts'
import { eventually } from '../startNetwork.ts'

const account = '0x00000000000000000000000000000000000000a1'

let anvil: Anvil
let one: TestHost
let two: TestHost
beforeAll(async () => {
  anvil = await startAnvil()
  const location = newDeployment()
  const file = { networks: { live: { 'fork-url': anvil.url } }, 'sleep-after': 60 }
  ;[one, two] = await Promise.all([startHost(file, location), startHost(file, location)])
})
afterAll(async () => {
  await Promise.all([one?.host.stop(), two?.host.stop()])
  await one?.stop()
  await anvil?.stop()
})

const balance = (host: TestHost, name: string) => host.rpc(`/n/${name}`, 'eth_getBalance', [account, 'latest'])
const roleAt = async (host: TestHost, name: string) =>
  ((await host.http('GET', `/n/${name}/health`)).body as { node?: { role: string } }).node?.role

it('serves any network at any node, and each seals where it was opened first', async () => {
  await one.rpc('/', 'dev_createNetwork', [{ name: 'first' }])
  await two.rpc('/', 'dev_createNetwork', [{ name: 'second' }])
  for (const [name, sealer, reader] of [
    ['first', one, two],
    ['second', two, one],
  ] as const) {
    await reader.rpc(`/n/${name}`, 'dev_setBalance', [account, '5'])
    expect([await balance(sealer, name), await balance(reader, name)]).toEqual(['0x5', '0x5'])
    expect([await roleAt(sealer, name), await roleAt(reader, name)]).toEqual(['sealer', 'reader'])
  }
})

it('goes on at another node when the one that seals stops', async () => {
  await one.rpc('/n/live', 'dev_setBalance', [account, '1'])
  expect(await balance(two, 'live')).toBe('0x1')
  await one.restart()
  await two.rpc('/n/live', 'dev_setBalance', [account, '2'])
  expect(await balance(one, 'live')).toBe('0x2')
})

it('removes a network at all nodes, and one of the same name begins anew', async () => {
  await one.rpc('/', 'dev_createNetwork', [{ name: 'gone' }])
  await two.rpc('/n/gone', 'dev_setBalance', [account, '5'])
  await two.rpc('/', 'dev_removeNetwork', ['gone'])
  await eventually(
    () => balance(one, 'gone').catch(({ data }) => data.kind as string),
    (answer) => answer === 'HOSTED_NETWORK_NOT_FOUND',
  )
  await one.rpc('/', 'dev_createNetwork', [{ name: 'gone' }])
  expect([await balance(one, 'gone'), await balance(two, 'gone')]).toEqual(['0x0', '0x0'])
})

it('lets one of two nodes make a network of a name', async () => {
  const made = await Promise.allSettled(
    [one, two].map((host) => host.rpc('/', 'dev_createNetwork', [{ name: 'same' }])),
  )
  expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})
