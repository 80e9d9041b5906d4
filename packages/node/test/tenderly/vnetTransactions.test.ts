import { artifacts, deployContract } from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex, pad, toHex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { problem, type Rest, restOf } from './rest.ts'
import { inShape } from './rpcSchemas.ts'
import { vnetTransactionSchema } from './schemas/accounts.ts'
import { requireForm } from './schemas/forms.ts'
import { resultSchema } from './schemas/simulations.ts'

type Transaction = { id: string; tx_hash: Hex; origin: string; status: string; error_reason: string | null }

const project = '/api/v1/account/me/project/project'
const stranger = '0x00000000000000000000000000000000000000c5'
const { abi } = artifacts.Counter

let network: TestNetwork
let rest: Rest
let counter: Address
let vnet: { id: string; rpcs: { url: string }[] }
let path: string
beforeAll(async () => {
  network = await startNetwork()
  rest = restOf(() => network.url)
  counter = (await deployContract(network.client, artifacts.Counter, [7n])).toLowerCase() as Address
  const made = await rest<typeof vnet>('POST', `${project}/vnets`, { fork_config: { network_id: 31337 } })
  vnet = made.body
  path = `${project}/vnets/${vnet.id}/transactions`
  const body = JSON.stringify({ id: 1, method: 'tenderly_setBalance', params: [stranger, '0xde0b6b3a7640000'] })
  await fetch(made.body.rpcs[0]?.url ?? '', { method: 'POST', body })
})
afterAll(() => network?.stop())

const slot = (value: bigint) => pad(toHex(value))
const increment = encodeFunctionData({ abi, functionName: 'increment' })
const send = (callArgs: object, more: object = {}) => rest<Transaction>('POST', path, { callArgs, ...more })

it('sends transactions of any account, and lists them with those that it began with', async () => {
  const sent = await send({ from: stranger, to: counter, data: increment, input: increment, gas: '0x0', value: null })
  requireForm(vnetTransactionSchema, sent.body)
  expect(sent).toMatchObject({
    status: 201,
    body: {
      ...{ vnet_id: vnet.id, origin: 'api', rpc_method: 'eth_sendTransaction', category: 'write', status: 'success' },
      ...{ from: stranger, to: counter, input: increment, value: '0x0', error_reason: null },
    },
  })
  const listed = await rest<Transaction[]>('GET', path)
  for (const transaction of listed.body) requireForm(vnetTransactionSchema, transaction)
  const [newest] = listed.body
  expect(newest).toMatchObject({ id: sent.body.id, tx_hash: sent.body.tx_hash, origin: 'rpc' })
  expect(listed.body.at(-1)).toMatchObject({ origin: 'copy', to: null })
  const pages = await Promise.all([1, 2].map((page) => rest<Transaction[]>('GET', `${path}?page=${page}&perPage=1`)))
  expect(pages.flatMap(({ body }) => body)).toEqual(listed.body.slice(0, 2))
  expect((await rest('GET', `${path}?page=99&perPage=100`)).body).toEqual([])
  // The network itself has none of it.
  expect(await network.client.readContract({ address: counter, abi, functionName: 'number' })).toBe(7n)
})

it('seals a transaction that reverts, with its reason', async () => {
  const data = '0xdeadbeef'
  const sent = await send({ from: stranger, to: counter, data })
  requireForm(vnetTransactionSchema, sent.body)
  expect(sent).toMatchObject({ status: 201, body: { status: 'failed' } })
})

it.each<[object, RegExp]>([
  [{}, /callArgs: expected an object/],
  [{ callArgs: { from: stranger, to: 'nowhere' } }, /to/],
  [{ callArgs: { from: stranger }, blockNumber: '0x1' }, /blockNumber: a transaction is sent to the next block/],
  [{ callArgs: { from: stranger }, stateOverrides: { [stranger]: {} } }, /stateOverrides: are of simulations/],
  [{ callArgs: { from: stranger }, blockOverrides: { timestamp: 1 } }, /blockOverrides: are of simulations/],
])('refuses %j', async (body, message) => {
  expect(await rest('POST', path, body)).toMatchObject(problem(400, 'bad_request', message))
})

it('simulates on a vnet as its RPC does, with overrides, and changes nothing', async () => {
  const callArgs = { from: stranger, to: counter, data: increment, value: '0x0' }
  const overrides = [{ [counter]: { stateDiff: { [slot(0n)]: slot(41n) } } }, { timestamp: '0xfffffffff' }]
  const { status, body } = await rest<object>('POST', `${path}/simulate`, {
    ...{ callArgs, blockNumber: 'latest', stateOverrides: overrides[0], blockOverrides: overrides[1] },
  })
  expect(status).toBe(200)
  inShape('tenderly_simulateTransaction', body)
  expect(JSON.stringify(body)).toContain(slot(42n))
  const url = vnet.rpcs[0]?.url ?? ''
  const request = { id: 1, method: 'tenderly_simulateTransaction', params: [callArgs, 'latest', ...overrides] }
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(request) })
  expect(body).toEqual(((await answer.json()) as { result: object }).result)
})

it('simulates on a vnet as the project does, whatever chain the request names', async () => {
  const simulation = { from: stranger, to: counter, input: increment, gas_limit: 3_000_000, gas_price: '0', value: '0' }
  const body = { ...simulation, network_id: '1', block_number: null, save: false, source: 'dashboard' }
  const simulated = await rest<{ transaction: { status: boolean }; simulation: { id: string } }>(
    'POST',
    `${project}/testnet/${vnet.id}/simulate`,
    body,
  )
  requireForm(resultSchema, simulated.body)
  expect(simulated).toMatchObject({ status: 200, body: { transaction: { status: true, to: counter } } })
})

it('names a vnet that is not there', async () => {
  const missing = path.replace(vnet.id, '00000000-0000-8000-8000-000000000000')
  for (const [method, end] of [
    ['GET', ''],
    ['POST', ''],
    ['POST', '/simulate'],
  ] as const)
    expect(await rest(method, missing + end, method === 'POST' ? { callArgs: {} } : undefined)).toMatchObject(
      problem(404, 'not_found', /vnet/),
    )
})
