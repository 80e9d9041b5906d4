import { type Anvil, connectClient, startAnvil } from '@understudy/testkit'
import { createPublicClient, http, numberToHex, webSocket } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { problem, type Rest, restOf } from './rest.ts'
import { errorSchema, requireForm } from './schemas/forms.ts'
import { vnetListSchema, vnetSchema } from './schemas/vnets.ts'

type Vnet = {
  id: string
  slug: string
  display_name: string
  fork_config: { network_id: number; block_number: string }
  virtual_network_config: { chain_config: { chain_id: number } }
  sync_state_config: { enabled: boolean }
  rpcs: { name: string; url: string }[]
}

const vnets = '/api/v1/account/me/project/project/vnets'
const liveChain = 31337

let anvil: Anvil
let network: TestNetwork
let rest: Rest
beforeAll(async () => {
  anvil = await startAnvil()
  network = await startNetwork({ forkUrls: [anvil.url] })
  rest = restOf(() => network.url)
})
afterAll(async () => {
  await network?.stop()
  await anvil?.stop()
})

let count = 0
const wanted = (more: object = {}) => ({
  slug: `vnet-${++count}`,
  display_name: 'A network of ours',
  fork_config: { network_id: liveChain },
  virtual_network_config: { chain_config: { chain_id: 73571 } },
  sync_state_config: { enabled: false },
  explorer_page_config: { enabled: false, verification_visibility: 'bytecode' },
  ...more,
})

async function create(more: object = {}): Promise<Vnet> {
  const { status, body } = await rest<Vnet>('POST', vnets, wanted(more))
  expect({ status, body }).toMatchObject({ status: 201 })
  requireForm(vnetSchema, body)
  return body
}

const rpcOf = ({ rpcs }: Vnet, name: string) => rpcs.find((each) => each.name === name)?.url ?? ''
const ask = async (url: string, method: string, ...params: unknown[]) => {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ id: 1, method, params }) })
  return (await response.json()) as { result?: unknown; error?: { message: string } }
}

describe('a vnet', () => {
  it('is a branch with the chain id that was asked for, where any account sends without a signature', async () => {
    const vnet = await create()
    expect(vnet).toMatchObject({
      slug: expect.stringMatching(/^vnet-/),
      display_name: 'A network of ours',
      fork_config: { network_id: liveChain },
      virtual_network_config: { chain_config: { chain_id: 73571 } },
    })
    const stranger = '0x00000000000000000000000000000000000000d1'
    const admin = rpcOf(vnet, 'Admin RPC')
    await ask(admin, 'tenderly_setBalance', [stranger], numberToHex(10n ** 18n))
    const sent = await ask(admin, 'eth_sendTransaction', { from: stranger, to: `0x${'d2'.repeat(20)}`, value: '0x7' })
    expect(sent).toMatchObject({ result: expect.stringMatching(/^0x/) })
    const client = createPublicClient({
      transport: webSocket(rpcOf(vnet, 'Public websocket RPC'), { reconnect: false }),
    })
    expect(await client.getChainId()).toBe(73571)
    expect(await client.getBalance({ address: `0x${'d2'.repeat(20)}` })).toBe(7n)
    expect(await network.client.getBalance({ address: `0x${'d2'.repeat(20)}` })).toBe(0n)
  })

  it('keeps its id over a restart, and with another name', async () => {
    const { id, slug } = await create()
    await network.restart()
    const shown = await rest<Vnet>('GET', `${vnets}/${id}`)
    requireForm(vnetSchema, shown.body)
    expect(shown).toMatchObject({ status: 200, body: { id, slug, display_name: 'A network of ours' } })
    const changed = await rest<Vnet>('PATCH', `${vnets}/${id}`, { slug: `${slug}-new`, display_name: 'Renamed' })
    expect(changed).toMatchObject({ status: 200, body: { id, slug: `${slug}-new`, display_name: 'Renamed' } })
    expect((await rest<Vnet>('PATCH', `${vnets}/${id}`, { display_name: 'Again' })).body.slug).toBe(`${slug}-new`)
    const client = createPublicClient({ transport: http(rpcOf(changed.body, 'Admin RPC')) })
    expect(await client.getChainId()).toBe(73571)
  })

  it('may begin at a block that the network has, in any form', async () => {
    const number = await network.client.getBlockNumber()
    await network.rpc('anvil_mine', '0x2')
    for (const block of [Number(number), numberToHex(number), String(number)]) {
      const vnet = await create({ fork_config: { network_id: String(liveChain), block_number: block } })
      expect(vnet.fork_config.block_number).toBe(numberToHex(number))
    }
    expect((await create({ fork_config: { network_id: liveChain, block_number: 'latest' } })).fork_config).toEqual({
      network_id: liveChain,
      block_number: numberToHex(number + 2n),
    })
  })

  it('is forked with everything in it', async () => {
    const parent = await create()
    const account = `0x${'d5'.repeat(20)}`
    await ask(rpcOf(parent, 'Admin RPC'), 'tenderly_setBalance', [account], '0x5')
    const { status, body } = await rest<Vnet>('POST', `${vnets}/fork`, { vnet_id: parent.id, state_sync: false })
    expect(status).toBe(201)
    requireForm(vnetSchema, body)
    expect(await ask(rpcOf(body, 'Admin RPC'), 'eth_getBalance', account, 'latest')).toMatchObject({ result: '0x5' })
    await ask(rpcOf(body, 'Admin RPC'), 'tenderly_setBalance', [account], '0x6')
    expect(await ask(rpcOf(parent, 'Admin RPC'), 'eth_getBalance', account, 'latest')).toMatchObject({ result: '0x5' })
  })

  it('is gone once it is deleted', async () => {
    const vnet = await create()
    expect(await rest('DELETE', `${vnets}/${vnet.id}`)).toEqual({ status: 204, body: undefined })
    expect(await rest('GET', `${vnets}/${vnet.id}`)).toMatchObject(problem(404, 'not_found', /vnet/))
    expect(await rest('DELETE', `${vnets}/${vnet.id}`)).toMatchObject({ status: 404 })
    expect(await ask(rpcOf(vnet, 'Admin RPC'), 'eth_chainId')).toMatchObject({ error: {} })
  })
})

describe('the list of vnets', () => {
  beforeAll(async () => {
    for (const slug of ['list-a', 'list-ab', 'other-list-a']) await create({ slug, display_name: `Named ${slug}` })
  })

  it.each([
    ['match_field=slug&match_type=prefix&keywords=list-a', ['list-a', 'list-ab']],
    ['match_field=slug&match_type=exact&keywords=LIST-AB', ['list-ab']],
    ['keywords=list-a', ['list-a', 'other-list-a', 'list-ab']],
    ['match_field=display_name&keywords=named%20list', ['list-ab', 'list-a']],
    ['keywords=list-a&page=2&perPage=2', ['list-ab']],
    ['keywords=no-such-vnet', []],
  ])('%s', async (query, slugs) => {
    const { status, body } = await rest<Vnet[]>('GET', `${vnets}?${query}`)
    requireForm(vnetListSchema, body)
    expect([status, body.map(({ slug }) => slug)]).toEqual([200, slugs])
  })

  it.each([
    ['match_field=color&keywords=a', /match_field: expected slug/],
    ['match_type=regex&keywords=a', /match_type: expected prefix/],
    ['perPage=101', /perPage: expected a whole number from 1 to 100/],
    ['page=0', /page: expected a whole number/],
  ])('refuses %s', async (query, message) => {
    const refused = await rest('GET', `${vnets}?${query}`)
    requireForm(errorSchema, refused.body)
    expect(refused).toMatchObject(problem(400, 'bad_request', message))
  })
})

it('refuses a slug in use as a conflict, by which clients replace it', async () => {
  const { slug } = await create()
  const refused = await rest('POST', vnets, wanted({ slug }))
  requireForm(errorSchema, refused.body)
  expect(refused).toMatchObject(problem(409, 'conflict', /already a branch/))
  const [stale] = (await rest<Vnet[]>('GET', `${vnets}?match_field=slug&match_type=prefix&keywords=${slug}`)).body
  await rest('DELETE', `${vnets}/${stale?.id}`)
  await create({ slug })
})

it.each<[string, object, RegExp]>([
  ['another chain', { fork_config: { network_id: 5 } }, /chain/],
  ['no chain', { fork_config: {} }, /fork_config\.network_id: expected the id of a chain/],
  ['no fork', { fork_config: undefined }, /fork_config: expected an object/],
  ['a slug that no address can have', { slug: 'two words' }, /slug: expected 1 to 100 letters/],
  ['a block that is none', { fork_config: { network_id: liveChain, block_number: 'soon' } }, /block_number: expected/],
  ['a label that is too long', { display_name: 'x'.repeat(201) }, /display_name: has more than 200/],
])('refuses %s, and makes nothing', async (_, more, message) => {
  const before = (await network.rpc<unknown[]>('dev_getBranches')).length
  const refused = await rest('POST', vnets, wanted(more))
  requireForm(errorSchema, refused.body)
  expect(refused).toMatchObject(problem(400, 'bad_request', message))
  expect((await network.rpc<unknown[]>('dev_getBranches')).length).toBe(before)
})

describe('with keys', () => {
  const keys = { read: 'reader-5ecret-00001', write: 'writer-5ecret-00002', admin: 'keeper-5ecret-00003' }
  let keyed: TestNetwork
  beforeAll(async () => {
    keyed = await startNetwork({ apiKeys: Object.entries(keys).map(([role, key]) => `${key}:${role}`) })
  })
  afterAll(() => keyed?.stop())

  const as = (role: keyof typeof keys) => restOf(() => keyed.url, keys[role])
  const own = (slug: string) => ({ slug, fork_config: { network_id: liveChain } })

  it('lets readers see them, and only those with the role admin change them', async () => {
    const { body } = await as('admin')<Vnet>('POST', vnets, own('guarded'))
    for (const [method, path, sent] of [
      ['POST', vnets, own('refused')],
      ['POST', `${vnets}/fork`, { vnet_id: body.id }],
      ['PATCH', `${vnets}/${body.id}`, { slug: 'taken' }],
      ['DELETE', `${vnets}/${body.id}`, undefined],
    ] as const)
      expect(await as('write')(method, path, sent)).toMatchObject({
        status: 403,
        body: { error: { slug: 'forbidden' } },
      })
    const { body: found } = await as('read')<Vnet[]>('GET', `${vnets}?keywords=guarded`)
    expect(found.map(({ slug }) => slug)).toEqual(['guarded'])
  })

  it('gives an admin URL with the key of the caller, and a public one that writes at most, and only there', async () => {
    const { body } = await as('admin')<Vnet>('POST', vnets, own('shared'))
    const [other] = [(await as('admin')<Vnet>('POST', vnets, own('other'))).body]
    const [admin, open] = [rpcOf(body, 'Admin RPC'), rpcOf(body, 'Public RPC')]
    const setBalance = ['tenderly_setBalance', [`0x${'d7'.repeat(20)}`], '0x1'] as const
    expect(admin).toBe(`${keyed.url}/n/shared/rpc/${keys.admin}`)
    expect(await ask(admin, ...setBalance)).toHaveProperty('result')
    expect(open).not.toContain('5ecret')
    expect(await ask(open, 'dev_getRole')).toMatchObject({ result: { role: 'write' } })
    expect(await ask(open, ...setBalance)).toMatchObject({ error: { message: expect.stringContaining('role admin') } })
    // Not at another network, in a header, or changed.
    const publicKey = open.split('/').at(-1)
    for (const url of [
      `${keyed.url}/rpc/${publicKey}`,
      rpcOf(other, 'Public RPC').replace(/[^/]*$/, publicKey ?? ''),
      open.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ])
      expect(await ask(url, 'eth_chainId')).toMatchObject({ error: { message: expect.stringContaining('unknown') } })
    expect((await restOf(() => keyed.url, publicKey)('GET', vnets)).status).toBe(401)
    const webSocketUrl = rpcOf(body, 'Public websocket RPC')
    expect(await createPublicClient({ transport: webSocket(webSocketUrl, { reconnect: false }) }).getChainId()).toBe(
      liveChain,
    )
    const client = await connectClient(open)
    expect(await client.getChainId()).toBe(liveChain)
  })

  it('shows a reader no more than what the key of the reader may do', async () => {
    await as('admin')('POST', vnets, own('seen'))
    const found = (await as('read')<Vnet[]>('GET', `${vnets}?keywords=seen`)).body[0] as Vnet
    for (const { url } of found.rpcs.filter(({ url }) => url.startsWith('http')))
      expect(await ask(url, 'dev_getRole')).toMatchObject({ result: { role: 'read' } })
    expect(JSON.stringify(found)).not.toContain(keys.admin)
  })
})
