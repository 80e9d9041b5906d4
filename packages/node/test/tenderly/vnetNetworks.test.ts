import { type Anvil, connectClient, requireSuccess, startAnvil } from '@understudy/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHost, type TestHost } from '../host/startHost.ts'
import { problem, type Rest, restOf } from './rest.ts'
import { requireForm } from './schemas/forms.ts'
import { vnetListSchema, vnetSchema } from './schemas/vnets.ts'

type Vnet = { id: string; slug: string; rpcs: { name: string; url: string }[] }

const keys = { admin: 'keeper-5ecret-00003', own: 'team-a-5ecret-00002' }
const vnetsOf = (project: string) => `/api/v1/account/me/project/${project}/vnets`
const holder = '0x00000000000000000000000000000000000000a5'
const file = (url: string) => ({
  networks: { main: { 'fork-url': url, accounts: 1 }, other: { 'chain-id': 1002, accounts: 1 } },
  keys: [
    { key: keys.admin, role: 'admin' },
    { key: keys.own, role: 'admin', scope: 'own' },
  ],
})

/** `main` forks block 4 of a live chain on which the balance of `holder` is the number of the block. */
let anvil: Anvil
let host: TestHost
let rest: Rest
beforeAll(async () => {
  anvil = await startAnvil()
  const live = await connectClient(anvil.url)
  for (let block = 1; block <= 4; block++)
    await requireSuccess(live, await live.sendTransaction({ to: holder, value: 1n }))
  host = await startHost(file(anvil.url))
  rest = restOf(() => host.url, keys.admin)
  await host.rpc('/n/main', 'eth_blockNumber', [], keys.admin)
})
afterAll(async () => {
  await host?.stop()
  await anvil?.stop()
})

const wanted = (slug: string, block: number | string) => ({
  slug,
  display_name: `At ${block}`,
  fork_config: { network_id: 31337, block_number: block },
  virtual_network_config: { chain_config: { chain_id: 99 } },
})
const ask = async (url: string, method: string, ...params: unknown[]) =>
  (await fetch(url, { method: 'POST', body: JSON.stringify({ id: 1, method, params }) })).json()
const rpcOf = ({ rpcs }: Vnet, name: string) => rpcs.find((each) => each.name === name)?.url ?? ''

it('forks a block of before the network by a network beside it, which outlives the process', async () => {
  const { status, body } = await rest<Vnet>('POST', vnetsOf('main'), wanted('at-two', 2))
  requireForm(vnetSchema, body)
  expect({ status, body }).toMatchObject({
    status: 201,
    body: {
      ...{ slug: 'at-two', display_name: 'At 2', fork_config: { network_id: 31337, block_number: '0x2' } },
      virtual_network_config: { chain_config: { chain_id: 99 } },
    },
  })
  const admin = rpcOf(body, 'Admin RPC')
  expect(admin).toBe(`${host.url}/n/at_two/rpc/${keys.admin}`)
  expect(await ask(admin, 'eth_getBalance', holder, 'latest')).toMatchObject({ result: '0x2' })
  expect(await ask(admin, 'eth_chainId')).toMatchObject({ result: '0x63' })
  const sent = await rest('POST', `${vnetsOf('main')}/${body.id}/transactions`, {
    callArgs: { from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', to: holder, value: '0x5' },
  })
  expect(sent).toMatchObject({ status: 201, body: { vnet_id: body.id, status: 'success' } })
  // Its public key is of it alone.
  const open = rpcOf(body, 'Public RPC')
  expect(await ask(open, 'dev_getRole')).toMatchObject({ result: { role: 'write' } })
  expect(await ask(open.replace('/n/at_two/', '/n/main/'), 'eth_chainId')).toHaveProperty('error')

  await host.restart()
  const listed = await rest<Vnet[]>('GET', `${vnetsOf('main')}?keywords=at-two`)
  requireForm(vnetListSchema, listed.body)
  expect(listed.body).toMatchObject([{ id: body.id, slug: 'at-two', display_name: 'At 2' }])
  expect(await ask(rpcOf(listed.body[0] as Vnet, 'Admin RPC'), 'eth_getBalance', holder, 'latest')).toMatchObject({
    result: '0x7',
  })
  expect(await rest('POST', vnetsOf('main'), wanted('at-two', 1))).toMatchObject(problem(409, 'conflict', /at_two/))
  expect(await rest('PATCH', `${vnetsOf('main')}/${body.id}`, { slug: 'b' })).toMatchObject({ status: 400 })
  expect((await rest('DELETE', `${vnetsOf('main')}/${body.id}`)).status).toBe(204)
  expect((await rest('GET', `${vnetsOf('main')}/${body.id}`)).status).toBe(404)
})

it('makes a branch of the network that has the chain, which is found from any project', async () => {
  const { body } = await rest<Vnet>('POST', vnetsOf('other'), wanted('from-other', 'latest'))
  requireForm(vnetSchema, body)
  expect(rpcOf(body, 'Admin RPC')).toBe(`${host.url}/n/main/n/from-other/rpc/${keys.admin}`)
  expect(await ask(rpcOf(body, 'Admin RPC'), 'eth_getBalance', holder, 'latest')).toMatchObject({ result: '0x4' })
  expect(await ask(rpcOf(body, 'Public RPC'), 'dev_getRole')).toMatchObject({ result: { role: 'write' } })
  for (const project of ['main', 'other'])
    expect(await rest('GET', `${vnetsOf(project)}/${body.id}`)).toMatchObject({ status: 200, body: { id: body.id } })
  expect(await rest('POST', `${vnetsOf('other')}/fork`, { vnet_id: body.id, slug: 'again' })).toMatchObject({
    status: 201,
    body: { slug: 'again' },
  })
  expect((await rest('DELETE', `${vnetsOf('other')}/${body.id}`)).status).toBe(204)
})

it('refuses a name that no network can have, for a block that only a network of its own can fork', async () => {
  const refused = await rest('POST', vnetsOf('main'), wanted('At_Two', 1))
  expect(refused).toMatchObject(problem(400, 'bad_request', /slug: expected 1 to 40 lower-case letters/))
})

it('lets a key that sees only its own networks fork none of others', async () => {
  const made = host.rpc('/', 'dev_createNetwork', [{ name: 'mine', like: 'main' }], keys.own)
  await expect(made).rejects.toMatchObject({ message: expect.stringContaining('main') })
  const none = host.rpc('/', 'dev_createNetwork', [{ name: 'mine', like: 'nothing' }], keys.admin)
  await expect(none).rejects.toMatchObject({ message: expect.stringContaining('params[0].like') })
})
