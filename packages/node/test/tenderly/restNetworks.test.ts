import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startHost, type TestHost } from '../host/startHost.ts'

const keys = { all: 'keeper-5ecret-00003', own: 'team-a-5ecret-00002' }

/** `first` and `second` are networks of the configuration; a key that sees only its own has made `third`. */
let host: TestHost
beforeAll(async () => {
  host = await startHost({
    networks: {
      first: { 'chain-id': 1001, accounts: 1 },
      second: { 'chain-id': 1002, accounts: 1 },
    },
    keys: [
      { key: keys.all, role: 'admin' },
      { key: keys.own, role: 'admin', scope: 'own' },
    ],
    options: { 'public-url': 'https://net.example/under/' },
  })
  await host.rpc('/', 'dev_createNetwork', [{ name: 'third', options: { 'chain-id': 1003 } }], keys.own)
  for (let count = 0; count < 2; count++) await host.rpc('/n/second', 'evm_mine', [], keys.all)
  await host.rpc('/n/first', 'dev_createBranch', [{ name: 'feature' }], keys.all)
  await host.rpc('/n/first/n/feature', 'evm_mine', [], keys.all)
})
afterAll(() => host.stop())

async function get(path: string, key = keys.all) {
  const response = await fetch(host.url + path, { headers: { 'x-access-key': key } })
  return { status: response.status, body: await response.json() }
}
const number = (count: number) => ({ status: 200, body: { block_number: count } })

describe('several networks behind one address', () => {
  it('are found by the ids of their chains, at the root and at each network', async () => {
    for (const at of ['', '/n/first', '/n/second']) {
      expect(await get(`${at}/api/v1/network/1001/block-number`)).toEqual(number(0))
      expect(await get(`${at}/v1/network/1002/block-number`)).toEqual(number(2))
    }
  })

  it('are found only by those who may use them', async () => {
    expect(await get('/v1/network/1003/block-number', keys.own)).toEqual(number(0))
    expect(await get('/v1/network/1001/block-number', keys.own)).toMatchObject({
      status: 400,
      body: {
        error: { slug: 'bad_request', message: expect.stringContaining('this network is chain 1003, not 1001') },
      },
    })
    expect(await get('/v1/network/1002/block-number', 'nobody-5ecret-00000')).toMatchObject({
      status: 401,
      body: { error: { slug: 'unauthorized' } },
    })
  })

  it('answer what they do not have in the form of the interface', async () => {
    expect(await get('/api/v1/account/me/project/missing/simulations')).toMatchObject({
      status: 404,
      body: { error: { slug: 'not_found' } },
    })
    const preflight = await fetch(`${host.url}/api/v1/account/me/project/missing/simulate`, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(204)
  })

  it('have addresses that begin with the address from outside', async () => {
    const [branch] = await host.rpc<{ url: string }[]>('/n/first', 'dev_getBranches', [], keys.all)
    expect(branch?.url).toBe('https://net.example/under/n/first/n/feature')
  })
})
