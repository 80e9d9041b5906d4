import { artifacts, deployContract, testAccounts } from '@understudy/testkit'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localContract } from '../localContracts.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { problem, restOf } from './rest.ts'
import { requireForm } from './schemas/forms.ts'
import {
  bundleSchema,
  infoSchema,
  listSchema,
  resultSchema,
  statesSchema,
  v2BundleSchema,
  v2Schema,
} from './schemas/simulations.ts'

const keys = { read: 'reader-5ecret-00001', write: 'writer-5ecret-00002', admin: 'keeper-5ecret-00003' }
const [alice, bob] = testAccounts.map(({ address }) => address.toLowerCase()) as [Address, Address]
const supply = 1_000_000n

let network: TestNetwork
let token: Address
let reverter: Address
beforeAll(async () => {
  // The first key is that of the test's client.
  network = await startNetwork({ apiKeys: [`${keys.admin}:admin`, `${keys.write}:write`, `${keys.read}:read`] })
  token = (
    await deployContract(network.client, artifacts.PlainToken, ['Plain', 'PLN', supply])
  ).toLowerCase() as Address
  reverter = (await deployContract(network.client, artifacts.Reverter)).toLowerCase() as Address
  const contracts = [localContract('PlainToken', artifacts.PlainToken), localContract('Reverter', artifacts.Reverter)]
  await network.rpc('dev_importContracts', { contracts })
})
afterAll(() => network?.stop())

const rest = {
  read: restOf(() => network.url, keys.read),
  write: restOf(() => network.url, keys.write),
  admin: restOf(() => network.url, keys.admin),
}
type Key = keyof typeof rest
const project = '/api/v1/account/me/project/project'

type Result = {
  transaction: Record<string, unknown> & { transaction_info: Record<string, never>; status: boolean }
  simulation: Record<string, unknown> & { id: string }
  contracts: Record<string, unknown>[]
  generated_access_list: unknown[]
}

/** The answer, if its form is the published one. */
async function ask<Answer>(key: Key, method: string, path: string, schema: object, body?: unknown): Promise<Answer> {
  const answer = await rest[key]<Answer>(method, path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  requireForm(schema, answer.body)
  return answer.body
}
const simulate = (body: object, key: Key = 'read', at = project) =>
  ask<Result>(key, 'POST', `${at}/simulate`, resultSchema, body)

const transfer = (amount: bigint, from = alice, to = bob) => ({
  network_id: '31337',
  from,
  to: token,
  input: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
})

describe('simulate', () => {
  it('says what a transfer does', async () => {
    const head = Number(await network.rpc('eth_blockNumber'))
    const { transaction, simulation, contracts, generated_access_list } = await simulate({
      ...transfer(1_500n),
      ...{ gas: 200_000, gas_price: '0', value: 0, save: false, source: 'a dashboard', unknown: { field: 1 } },
    })
    expect(transaction).toMatchObject({
      ...{ status: true, block_number: head, network_id: '31337', method: 'transfer', function_selector: '0xa9059cbb' },
      ...{ from: alice, to: token, gas: 200_000, gas_price: 0, value: '0x0' },
    })
    const { call_trace, logs, asset_changes, state_diff, nonce_diff, stack_trace } = transaction.transaction_info
    expect(call_trace).toMatchObject({
      ...{ contract_name: 'PlainToken', function_name: 'transfer', call_type: 'CALL', calls: [] },
      decoded_input: [
        { soltype: { type: 'address', simple_type: { type: 'address' } }, value: bob },
        { soltype: { type: 'uint256' }, value: '1500' },
      ],
    })
    expect(logs).toMatchObject([{ name: 'Transfer', raw: { address: token } }])
    expect(asset_changes).toMatchObject([
      {
        token_info: { standard: 'ERC20', type: 'Fungible', contract_address: token, symbol: 'PLN', name: 'Plain' },
        ...{ type: 'Transfer', from: alice, to: bob, raw_amount: '1500' },
      },
    ])
    expect(state_diff).toMatchObject([
      {
        address: token,
        soltype: { type: expect.stringMatching(/^mapping/) },
        original: { [alice]: String(supply), [bob]: '0' },
        dirty: { [alice]: String(supply - 1_500n), [bob]: '1500' },
        raw: [{ address: token }, { address: token }],
      },
    ])
    expect(nonce_diff).toMatchObject([{ address: alice }])
    expect(stack_trace).toBeNull()
    expect(simulation).toMatchObject({ project_id: 'project', owner_id: 'me', method: 'transfer', shared: false })
    expect(contracts).toMatchObject([
      { address: token, contract_name: 'PlainToken', standards: ['erc20'], token_data: { symbol: 'PLN' } },
    ])
    expect(generated_access_list).toMatchObject([{ address: token }])
  })

  it('lists the calls flat, and the contracts that are known alone, as clients read them', async () => {
    const unknown = `0x${'5f'.repeat(20)}` as const
    // Calls the token, whose answer is that it reverted, and goes on.
    const code = `0x5f5f5f5f5f73${token.slice(2)}5af15000`
    await network.rpc('anvil_setCode', unknown, code)
    const { transaction, contracts } = await simulate({ network_id: '31337', from: alice, to: unknown, input: '0x' })
    expect(transaction.call_trace).toMatchObject([
      { call_type: 'CALL', from: alice, to: unknown, subtraces: 1, trace_address: [] },
      { call_type: 'CALL', from: unknown, to: token, error: 'execution reverted', trace_address: [0] },
    ])
    expect(transaction.addresses).toEqual([alice, unknown, token])
    expect(contracts).toMatchObject([{ address: token, contract_name: 'PlainToken' }])
  })

  it('takes what clients send', async () => {
    const same = [
      { gas: 0, gas_limit: 123_456 },
      { gas_limit: '123456', block_number: -2, gas_price: '' },
      { gas: '0x1e240', block_number: null, value: '0x0' },
      { gas: 123_456, data: transfer(1n).input, block_number: 'latest' },
    ]
    for (const form of same)
      expect((await simulate({ ...transfer(1n), ...form })).transaction).toMatchObject({ gas: 123_456, status: true })
    const creation = await simulate({ from: alice, to: '', input: artifacts.Reverter.bytecode, network_id: 31337 })
    expect(creation.transaction).toMatchObject({ status: true, to: '' })
  })

  it('has what was set since the latest block, also where a client names its first transaction', async () => {
    const rich = `0x${'6b'.repeat(20)}` as const
    await network.rpc('anvil_setBalance', rich, '0x5')
    const body = { network_id: '31337', from: rich, to: bob, value: 5, gas_price: '0', transaction_index: 0 }
    for (const block_number of [null, -2])
      expect((await simulate({ ...body, block_number })).transaction.status).toBe(true)
  })

  it('runs on other accounts and in another block', async () => {
    const stranger = `0x${'5e'.repeat(20)}` as const
    const { transaction } = await simulate({
      network_id: '31337',
      from: stranger,
      to: bob,
      value: '1000000000000000000',
      gas_price: '2000000000',
      state_objects: { [stranger]: { balance: '5000000000000000000', nonce: 7, storage: { '0x0': '0x1' } } },
      block_header: { number: '0xffff', timestamp: '0x70000000' },
    })
    expect(transaction).toMatchObject({
      ...{ status: true, nonce: 7, block_number: 0xffff, gas_price: 2_000_000_000 },
      timestamp: new Date(0x70000000 * 1000).toISOString(),
    })
    expect(transaction.transaction_info.asset_changes).toMatchObject([
      { token_info: { standard: 'NativeCurrency', symbol: 'ETH' }, amount: '1', raw_amount: '1000000000000000000' },
    ])
  })

  it('answers a revert as a result, with its reason', async () => {
    const { transaction } = await simulate(transfer(supply + 1n))
    expect(transaction).toMatchObject({ status: false, error_message: expect.any(String) })
    const { call_trace } = transaction.transaction_info
    expect(call_trace).toMatchObject({ error: 'execution reverted' })
    const { abi } = artifacts.Reverter
    const input = encodeFunctionData({ abi, functionName: 'withCustomError', args: [5n] })
    const refused = await simulate({ from: alice, to: reverter, input })
    expect(refused.transaction.error_message).toMatch(/^Refused\(/)
    const [failure] = refused.transaction.transaction_info.stack_trace as unknown as Record<string, unknown>[]
    expect(failure).toMatchObject({ contract: reverter, contract_name: 'Reverter', error: 'execution reverted' })
  })

  it('leaves out what takes more reads where quick is asked for', async () => {
    const { transaction, contracts } = await simulate({ ...transfer(1n), simulation_type: 'quick' })
    expect(transaction.status).toBe(true)
    expect(contracts.every(({ contract_name }) => contract_name === '')).toBe(true)
  })

  it.each<[string, object, RegExp]>([
    ['an address', { to: '0x12' }, /to: expected a 20-byte address/],
    ['a number', { gas: -1 }, /gas: /],
    ['an input beside other data', { data: '0x12345678' }, /input: differs from data/],
    ['another chain', { network_id: '1' }, /network_id: this network is chain 31337, not 1/],
    ['an override', { state_objects: { [alice]: { balance: 'x' } } }, /state_objects\..*balance/],
    ['a block', { block_number: 10 ** 9 }, /block/],
  ])('names what is wrong with %s', async (_, fields, message) => {
    const answer = await rest.read('POST', `${project}/simulate`, { ...transfer(1n), ...fields })
    expect(answer).toMatchObject({ body: { error: { message: expect.stringMatching(message) } } })
    expect([400, 404]).toContain(answer.status)
  })

  it('runs on branches by their names, and on no other project', async () => {
    await network.rpc('dev_createBranch', { name: 'feature/x' })
    await rest.admin('POST', `/n/${encodeURIComponent('feature/x')}`, {
      ...{ id: 1, method: 'evm_mine', params: [] },
    })
    const head = Number(await network.rpc('eth_blockNumber'))
    const at = `/api/v1/account/someone/project/${encodeURIComponent('feature/x')}`
    const { transaction, simulation } = await simulate(transfer(1n), 'read', at)
    expect([transaction.block_number, simulation.project_id]).toEqual([head + 1, 'feature/x'])
    expect(await rest.read('POST', '/api/v1/account/me/project/other/simulate', transfer(1n))).toEqual(
      problem(404, 'not_found', /no such project: other/),
    )
  })
})

describe('simulate-bundle', () => {
  const bundle = (simulations: object[], key: Key = 'read') =>
    ask<{ simulation_results: Result[] }>(key, 'POST', `${project}/simulate-bundle`, bundleSchema, { simulations })

  it('runs each on the result of those before it, and ends with a failure', async () => {
    const { simulation_results: results } = await bundle([
      transfer(supply),
      transfer(supply, bob, alice),
      transfer(supply + 1n),
      transfer(1n),
    ])
    expect(results.map(({ transaction }) => transaction.status)).toEqual([true, true, false])
    const gas = results.map(({ transaction }) => transaction.gas_used as number)
    expect(results.map(({ transaction }) => transaction.cumulative_gas_used)).toEqual([
      gas[0],
      (gas[0] ?? 0) + (gas[1] ?? 0),
      gas.reduce((sum, each) => sum + each, 0),
    ])
  })

  it('refuses what one sequence cannot be', async () => {
    const refused = async (simulations: unknown, message: RegExp) =>
      expect(await rest.read('POST', `${project}/simulate-bundle`, { simulations })).toEqual(
        problem(400, 'bad_request', message),
      )
    await refused([], /simulations: expected a list/)
    await refused([transfer(1n), { ...transfer(1n), block_number: 1 }], /simulations\[1\]\.block_number: differs/)
    await refused([transfer(1n), { ...transfer(1n), to: 'x' }], /simulations\[1\]\.to: /)
    const account = (balance: string) => ({ ...transfer(1n), state_objects: { [alice]: { balance } } })
    await refused([account('1'), account('2')], /simulations\[1\]\.state_objects/)
  })
})

describe('stored simulations', () => {
  const stored = (amount: bigint) => simulate({ ...transfer(amount), save: true, save_if_fails: true }, 'write')

  it('are listed and opened as they were, by those who may', async () => {
    const before = await stored(3n)
    const { id } = before.simulation
    const { simulations } = await ask<{ simulations: { id: string }[] }>(
      'write',
      'GET',
      `${project}/simulations?page=1&perPage=1`,
      listSchema,
    )
    expect(simulations).toMatchObject([{ id, status: true, method: 'transfer' }])
    await network.rpc('evm_mine')
    const opened = await ask<Result>('write', 'POST', `${project}/simulations/${id}`, resultSchema)
    const { created_at } = opened.simulation
    expect(opened).toEqual({
      ...before,
      simulation: { ...before.simulation, created_at },
      transaction: {
        ...before.transaction,
        transaction_info: { ...before.transaction.transaction_info, created_at },
      },
    })
    expect(await ask('write', 'GET', `${project}/simulations/${id}/info`, infoSchema)).toMatchObject({
      transaction_info: { id, status: true },
    })
    expect(await rest.read('POST', `${project}/simulations/${id}`)).toEqual(problem(404, 'not_found', /simulation/))
  })

  it('are shared, and no longer', async () => {
    const { id } = (await stored(4n)).simulation
    expect(await rest.read('POST', `${project}/simulations/${id}/share`)).toEqual(
      problem(403, 'forbidden', /role write/),
    )
    expect(await rest.write('POST', `${project}/simulations/${id}/share`)).toEqual({
      status: 200,
      body: { id, shared: true, url: `${network.url}/simulation/${id}` },
    })
    expect((await ask<Result>('read', 'POST', `${project}/simulations/${id}`, resultSchema)).simulation.id).toBe(id)
    await rest.write('POST', `${project}/simulations/${id}/unshare`)
    expect((await rest.read('POST', `${project}/simulations/${id}`)).status).toBe(404)
  })

  it('are made by writers only, and of failures where these are wanted', async () => {
    expect(await rest.read('POST', `${project}/simulate`, { ...transfer(1n), save: true })).toEqual(
      problem(403, 'forbidden', /role write/),
    )
    const failing = { ...transfer(supply + 1n), save: true }
    const { id } = (await simulate(failing, 'write')).simulation
    expect((await rest.write('POST', `${project}/simulations/${id}`)).status).toBe(404)
    const saved = await simulate({ ...failing, save_if_fails: true }, 'write')
    expect((await rest.write('POST', `${project}/simulations/${saved.simulation.id}`)).status).toBe(200)
  })
})

describe('contracts/encode-states', () => {
  const encode = (stateOverrides: object) =>
    rest.read('POST', `${project}/contracts/encode-states`, { networkID: '31337', stateOverrides })

  it('gives slots with which a simulation has other balances', async () => {
    const value = { [`_balances[${bob}]`]: '77' }
    const answer = await encode({ [token.toUpperCase().replace('0X', '0x')]: { value } })
    requireForm(statesSchema, answer.body)
    const { stateOverrides } = answer.body as { stateOverrides: Record<string, { value: Record<string, string> }> }
    expect(Object.keys(stateOverrides)).toEqual([token])
    const state_objects = { [token]: { storage: stateOverrides[token]?.value } }
    const { transaction } = await simulate({ ...transfer(77n, bob, alice), state_objects })
    expect(transaction.status).toBe(true)
    expect((await simulate(transfer(77n, bob, alice))).transaction.status).toBe(false)
  })

  it('needs no layout of an account without variables, whose balance alone is overridden', async () => {
    expect((await encode({ [alice]: {}, [bob]: { value: {} } })).body).toEqual({
      stateOverrides: { [alice]: { value: {} }, [bob]: { value: {} } },
    })
  })

  it('says which contract or variable it does not know', async () => {
    expect(await encode({ [alice]: { value: { owner: '0x1' } } })).toEqual(
      problem(400, 'bad_request', /has no known storage layout: import it/),
    )
    expect(await encode({ [token]: { value: { nothing: '1' } } })).toEqual(
      problem(400, 'bad_request', /there is no variable nothing/),
    )
    expect(await encode({ [token]: { value: { owner: {} } } })).toEqual(
      problem(400, 'bad_request', /stateOverrides.*owner: expected a text/),
    )
  })
})

describe('the paths of the SDK', () => {
  const path = '/api/v2/account/me/project/project/simulations/simulate'
  const callOf = () => ({ from: alice, to: token, data: transfer(5n).input, gas: 200_000, gas_price: 0, value: 0 })

  it('simulate', async () => {
    const body = { network_id: '31337', call_args: callOf(), block_number_or_hash: { blockNumber: 1 }, overrides: null }
    expect(await ask('read', 'POST', path, v2Schema, body)).toMatchObject({
      ...{
        status: true,
        block_number: 1,
        logs: [{ name: 'Transfer', inputs: [{ name: 'from', indexed: true }, {}, {}] }],
      },
      trace: [{ method: 'transfer', trace_address: [], subtraces: 0 }],
    })
  })

  it('simulate bundles, with overrides', async () => {
    const overrides = { [alice]: { nonce: 9, balance: '5' } }
    const { simulations } = await ask<{
      simulations: { status: boolean; gas_used: number; cumulative_gas_used: number }[]
    }>('read', 'POST', `${path}/bundle`, v2BundleSchema, {
      network_id: '31337',
      call_args: [callOf(), { ...callOf(), data: '0xdeadbeef' }, callOf()],
      overrides,
    })
    expect(simulations.map(({ status }) => status)).toEqual([true, false, true])
    expect(simulations[2]?.cumulative_gas_used).toBe(simulations.reduce((sum, { gas_used }) => sum + gas_used, 0))
  })

  it('name what is wrong', async () => {
    const refused = async (at: string, body: object, message: RegExp) =>
      expect(await rest.read('POST', at, { network_id: '31337', ...body })).toEqual(
        problem(400, 'bad_request', message),
      )
    await refused(path, { call_args: { ...callOf(), to: 1 } }, /call_args\.to/)
    await refused(`${path}/bundle`, { call_args: callOf() }, /call_args: expected a list/)
    await refused(`${path}/bundle`, { call_args: [callOf(), { ...callOf(), gas: 'x' }] }, /call_args\[1\]\.gas/)
  })
})
