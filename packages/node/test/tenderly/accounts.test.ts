import { createRequire } from 'node:module'
import { type Anvil, artifacts, connectClient, deployContract, startAnvil } from '@understudy/testkit'
import { type Address, encodeDeployData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileSource } from '../compileSource.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { problem, type Rest, restOf } from './rest.ts'
import { accountSchema, accountsSchema, verificationSchema } from './schemas/accounts.ts'
import { errorSchema, requireForm } from './schemas/forms.ts'

type Account = {
  id: string
  account_type: string
  display_name?: string
  tags: { tag: string }[]
  contract?: { address: Address; network_id: string }
  account?: { address: Address; network_id: string }
}

const chain = '31337'
const project = '/api/v1/account/me/project/project'
const accounts = '/api/v2/accounts/me/projects/project/accounts'
const keys = { read: 'reader-5ecret-00001', admin: 'keeper-5ecret-00003' }

let anvil: Anvil
let network: TestNetwork
let rest: Rest
let counter: Address
beforeAll(async () => {
  anvil = await startAnvil()
  counter = (await deployContract(await connectClient(anvil.url), artifacts.Counter, [7n])).toLowerCase() as Address
  const apiKeys = [`${keys.admin}:admin`, `${keys.read}:read`]
  network = await startNetwork({ forkUrls: [anvil.url], apiKeys, publicExplorers: false })
  rest = restOf(() => network.url, keys.admin)
})
afterAll(async () => {
  await network?.stop()
  await anvil?.stop()
})

const wallet = (digits: string) => `0x${digits.padStart(40, '0')}` as Address
async function find(query: string): Promise<Account[]> {
  const { status, body } = await rest<{ accounts: Account[] }>('GET', `${accounts}?${query}`)
  expect(status).toBe(200)
  requireForm(accountsSchema, body)
  return body.accounts
}

describe('contracts of a project', () => {
  it('are added, found, renamed, tagged and removed', async () => {
    const id = `eth:${chain}:${counter}`
    const added = await rest('POST', `${project}/address`, { network_id: chain, address: counter, display_name: '' })
    requireForm(accountSchema, added.body)
    expect(added).toMatchObject({ status: 200, body: { id, account_type: 'unverified_contract', tags: [] } })
    const query = `addresses[]=${counter.toUpperCase().replace('0X', '0x')}&networkIDs[]=${chain}&types[]=contract&types[]=unverified_contract`
    expect(await find(query)).toEqual([added.body])
    expect(added.body).not.toHaveProperty('display_name')

    const of = `${project}/contract/${chain}/${counter}`
    await rest('POST', `${of}/rename`, { display_name: 'Our counter' })
    await Promise.all(['core', 'counting'].map((tag) => rest('POST', `${project}/tag`, { contract_ids: [id], tag })))
    expect(await find(`tags[]=core&display_names[]=${encodeURIComponent('Our counter')}`)).toMatchObject([
      { id, display_name: 'Our counter', contract: { address: counter, network_id: chain } },
    ])
    const [{ tags } = { tags: [] }] = await find(`addresses[]=${counter}`)
    expect(tags.map(({ tag }) => tag).sort()).toEqual(['core', 'counting'])
    expect(await find('tags[]=no-such-tag')).toEqual([])
    expect(await find('networkIDs[]=10')).toEqual([])

    expect(await rest('DELETE', of)).toEqual({ status: 204, body: undefined })
    expect(await find(`addresses[]=${counter}`)).toEqual([])
    expect(await rest('DELETE', of)).toMatchObject(problem(404, 'not_found', /account of the project/))
  })

  it('are called as the user calls them, also where an import has a name for them', async () => {
    const address = wallet('c1')
    await network.rpc('anvil_setCode', address, '0x00')
    await network.rpc('dev_addWorkspace', { name: 'Imported', abi: JSON.stringify(artifacts.Counter.abi), address })
    const added = await rest('POST', `${project}/address`, { network_id: chain, address, display_name: 'Ours' })
    expect(added.body).toMatchObject({ account_type: 'contract', display_name: 'Ours' })
    expect(await find(`addresses[]=${address}`)).toEqual([added.body])
    expect(await find('display_names[]=Imported')).toEqual([])
    expect(await rest('DELETE', `${project}/contract/${chain}/${address}`)).toMatchObject({ status: 204 })
  })

  it('may be wallets, which are removed by their ids', async () => {
    const added = await rest<Account[]>('POST', `${project}/wallet`, {
      ...{ address: wallet('a1'), display_name: 'Treasury', network_ids: [chain], return_existing: true },
    })
    for (const account of added.body) requireForm(accountSchema, account)
    expect(added.body).toMatchObject([
      { account_type: 'wallet', display_name: 'Treasury', account: { network_id: chain } },
    ])
    expect(await find(`addresses[]=${wallet('a1')}&types[]=wallet`)).toEqual(added.body)
    expect(await find(`addresses[]=${wallet('a1')}&types[]=contract`)).toEqual([])
    const ids = { account_ids: added.body.map(({ id }) => id) }
    expect(await rest('DELETE', `${project}/contracts`, ids)).toMatchObject({ status: 204 })
    expect(await find(`addresses[]=${wallet('a1')}`)).toEqual([])
  })

  it('are asked of few networks at a time', async () => {
    const query = Array.from({ length: 21 }, (_, index) => `networkIDs[]=${index + 1}`).join('&')
    expect(await rest('GET', `${accounts}?${query}`)).toMatchObject(problem(400, 'bad_request', /networkIDs: has more/))
  })

  it.each<[string, string, object, number, RegExp]>([
    ['POST', '/address', { network_id: chain }, 400, /address: expected/],
    ['POST', '/address', { network_id: '5', address: wallet('b1') }, 400, /chain/],
    ['POST', '/wallet', { network_ids: [], address: wallet('b1') }, 400, /network_ids: is empty/],
    ['POST', '/tag', { contract_ids: ['0x1'], tag: 'a' }, 400, /contract_ids: expected ids such as eth:1:0x/],
    ['POST', '/tag', { contract_ids: [`eth:${chain}:${wallet('b1')}`], tag: '' }, 400, /tag\[0\]: is empty/],
    ['POST', '/tag', { contract_ids: [`eth:${chain}:${wallet('b1')}`], tag: 'a' }, 404, /account of the project/],
    ['POST', `/contract/${chain}/${wallet('b1')}/rename`, { display_name: 'a' }, 404, /account of the project/],
    ['DELETE', '/contracts', { account_ids: [] }, 400, /account_ids: is empty/],
  ])('%s %s is refused with what is wrong: %j', async (method, path, body, status, message) => {
    const refused = await rest(method, project + path, body)
    requireForm(errorSchema, refused.body)
    expect(refused).toMatchObject(problem(status, status === 404 ? 'not_found' : 'bad_request', message))
  })

  it('are changed only with the role admin', async () => {
    const reader = restOf(() => network.url, keys.read)
    expect((await reader('GET', accounts)).status).toBe(200)
    for (const [method, path] of [
      ['POST', '/address'],
      ['POST', '/wallet'],
      ['POST', '/tag'],
      ['DELETE', '/contracts'],
      ['DELETE', `/contract/${chain}/${counter}`],
    ] as const)
      expect(await reader(method, project + path, {})).toMatchObject({
        status: 403,
        body: { error: { slug: 'forbidden' } },
      })
  })
})

describe('verification', () => {
  const { version } = createRequire(import.meta.url)('solc') as { version(): string }
  const compiler = { version: `v${version().replace(/\.Emscripten.*$/, '')}`, settings: {} }
  const source = 'contract Box { uint256 public item; function put(uint256 next) public { item = next; } }'
  const path = 'src/Box.sol'
  const verify = '/api/v1/accounts/me/projects/project/contracts/verify'
  let box: Address
  const contractsOf = (code: string, more: object = {}) => ({
    contracts: [
      {
        contractToVerify: `${path}:Box`,
        ...{ compiler, sources: { [path]: { code } }, networks: { [chain]: { address: box } } },
        ...more,
      },
    ],
  })
  beforeAll(async () => {
    const { abi, bytecode } = compileSource(path, source).Box ?? { abi: [], bytecode: '0x' }
    const data = encodeDeployData({ abi, bytecode })
    const [from] = await network.rpc<Address[]>('eth_accounts')
    const hash = await network.rpc('eth_sendTransaction', { from, data })
    box = (await network.rpc<{ contractAddress: Address }>('eth_getTransactionReceipt', hash)).contractAddress
  })

  it('says that sources do not compile, that the code is another one, or what it has verified', async () => {
    const broken = await rest('POST', verify, contractsOf('contract Box {'))
    requireForm(verificationSchema, broken.body)
    expect(broken).toMatchObject({
      status: 200,
      body: { compilation_errors: [{ message: expect.stringContaining('do not compile') }], results: [] },
    })
    const other = await rest('POST', verify, contractsOf('contract Box { uint256 public other; }'))
    requireForm(verificationSchema, other.body)
    expect(other.body).toEqual({
      results: [{ bytecode_mismatch_error: { message: expect.stringContaining('does not match') } }],
    })

    const verified = await rest('POST', '/api/v1/public/contracts/verify', contractsOf(source))
    requireForm(verificationSchema, verified.body)
    expect(verified.body).toEqual({
      results: [
        {
          verified_contract: {
            ...{ id: `eth:${chain}:${box}`, address: box, network_id: chain, contract_name: 'Box' },
            ...{ compiler_version: compiler.version.slice(1), match: 'exact_match' },
          },
        },
      ],
    })
    const added = await rest('POST', `${project}/address`, { network_id: chain, address: box, display_name: 'The box' })
    expect(added.body).toMatchObject({ account_type: 'contract', display_name: 'The box' })
  })

  it('is at the RPC address of a vnet, for tools that know the API of explorers', async () => {
    const { body } = await rest<{ rpcs: { url: string }[] }>('POST', `${project}/vnets`, {
      ...{ slug: 'verified', fork_config: { network_id: chain } },
    })
    const query = `module=contract&action=getsourcecode&address=${box}`
    for (const end of ['/verify', '/verify/etherscan', '/api']) {
      const answer = await (await fetch(`${body.rpcs[0]?.url}${end}?${query}`)).json()
      expect(answer).toMatchObject({ status: '1' })
    }
    const unknown = await fetch(`${network.url}/n/no-such-vnet/rpc/${keys.admin}/verify?${query}`)
    expect(await unknown.json()).toMatchObject({ status: '0', result: expect.stringContaining('no-such-vnet') })
  })

  it.each<[string, object, RegExp]>([
    ['no contract', { contracts: [] }, /contracts: is empty/],
    [
      'a contract without a version',
      { contracts: [{ ...{ contractToVerify: 'a', compiler: {} } }] },
      /compiler\.version/,
    ],
  ])('refuses %s', async (_, body, message) => {
    expect(await rest('POST', verify, body)).toMatchObject(problem(400, 'bad_request', message))
  })
})

describe('alerts', () => {
  const check = { left: { type: 'native-token-balance', address: wallet('e1') }, is: '<', right: '5' }

  it('are invariants, which are delivered to the webhook', async () => {
    const channel = await rest('POST', `${project}/delivery-channels`, {
      ...{ type: 'webhook', information: { url: 'https://ci.example/hook' } },
    })
    expect(channel).toMatchObject({ status: 201, body: { delivery_channel: { type: 'webhook' } } })
    const added = await rest<{ alert: { id: string } }>('POST', `${project}/alert`, {
      ...{ name: 'Poor', description: '', enabled: true, expressions: [{ type: 'invariant', expression: check }] },
    })
    expect(added).toMatchObject({ status: 201, body: { alert: { name: 'Poor', enabled: true } } })
    const listed = await rest('GET', `${project}/alerts`)
    expect(listed.body).toMatchObject({
      alerts: [{ id: added.body.alert.id, delivery_channels: [{ delivery_channel: { type: 'webhook' } }] }],
    })
    expect(await network.rpc('dev_getInvariants')).toMatchObject([{ name: 'Poor' }])
    expect((await rest('DELETE', `${project}/alert/${added.body.alert.id}`)).status).toBe(204)
    expect((await rest('GET', `${project}/alerts`)).body).toEqual({ alerts: [] })
    const { delivery_channels: channels } = (
      await rest<{ delivery_channels: { id: string }[] }>('GET', `${project}/delivery-channels`)
    ).body
    expect((await rest('DELETE', `${project}/delivery-channels/${channels[0]?.id}`)).status).toBe(204)
    expect(await network.rpc('dev_getWebhook')).toBeNull()
  })

  it.each<[string, string, object | undefined, RegExp]>([
    ['POST', '/alert', { name: 'a', expressions: [{ type: 'method_call', expression: {} }] }, /dev_addInvariant/],
    ['POST', '/delivery-channels', { type: 'slack', information: { url: 'https://a.example' } }, /webhook/],
    ['GET', '/actions', undefined, /dev_setWebhook/],
    ['POST', '/multivnets', {}, /vnets/],
    ['GET', '/../../../../../public/v1/account/me/project/project/environments/a/instance/b', undefined, /vnets/],
  ])('%s %s is refused with what to do instead', async (method, path, body, message) => {
    const refused = await rest(method, project + path, body)
    requireForm(errorSchema, refused.body)
    expect(refused).toMatchObject(problem(400, 'bad_request', message))
  })
})
