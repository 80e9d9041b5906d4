import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Method } from '../src/rpc/defineMethod.ts'
import { methods } from '../src/rpc/methods/index.ts'
import { openSocket, type RawSocket } from './rawSocket.ts'
import { startNetwork, type TestNetwork } from './startNetwork.ts'

let network: TestNetwork
let socket: RawSocket
beforeAll(async () => {
  network = await startNetwork()
  socket = await openSocket(network.url)
})
afterAll(() => network.stop())

const junk = [
  ...[
    null,
    true,
    false,
    -1,
    0,
    1.5,
    2 ** 53,
    1e300,
    '',
    ' ',
    'nope',
    'latest2',
    '-1',
    '-0x1',
    '1e3',
    '0.5',
    '0x',
    '0X',
    '0xzz',
  ],
  ...['0x1', '0x123', `0x${'11'.repeat(19)}`, `0x${'11'.repeat(21)}`, `0x${'11'.repeat(31)}`, `0x${'11'.repeat(33)}`],
  ...[`0x1${'0'.repeat(64)}`, `0x${'f'.repeat(64)}`, '9'.repeat(79), 'x'.repeat(10_000), '\u0000', '💥', '__proto__'],
  ...[[], {}, [[]], [null], { nope: 1 }, { address: '0x12' }, { blockHash: '0x1' }, { blockNumber: -1 }, { id: {} }],
] as const

type Path = (string | number)[]

/** Every place of a value, itself included. */
function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inside = Object.entries(value).flatMap(([key, item]) =>
    placesOf(item, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return path.length === 0 ? inside : [path, ...inside]
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? replaced(item, rest, by) : item))
  return { ...(value as object), [key]: replaced((value as Record<string, unknown>)[key], rest, by) }
}

/** The example of a method with junk in one place, or with a wrong number of parameters, or none at all. */
function spoiled({ params, example }: Method): fc.Arbitrary<unknown> {
  const places = placesOf(example.params)
  const arity = fc.constantFrom<unknown>(
    [...example.params, ...Array(Object.keys(params).length + 1).fill('0x1')],
    {},
    'x',
    7,
  )
  if (places.length === 0) return arity
  const leaf = fc
    .tuple(fc.constantFrom(...places), fc.constantFrom(...junk))
    .map(([place, value]) => replaced(example.params, place, value))
  return fc.oneof(
    { weight: 8, arbitrary: leaf },
    { weight: 1, arbitrary: arity },
    { weight: 1, arbitrary: fc.constant([]) },
  )
}

type Failure = { code: number; message: string }

async function send(name: string, params: unknown, overSocket: boolean): Promise<Failure | undefined> {
  if (overSocket && Array.isArray(params))
    return socket.request(name, ...params).then(
      () => undefined,
      (error) => error as Failure,
    )
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params })
  const response = await fetch(network.url, { method: 'POST', body })
  expect(response.status).toBe(200)
  return ((await response.json()) as { error?: Failure }).error
}

/** Everything that a request could have left behind. */
const reads: [string, ...unknown[]][] = [
  ['dev_getNetworkInfo'],
  ['eth_getBalance', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'],
  ['dev_getFollowed'],
  ['dev_getFunctionOverrides'],
  ['dev_getImpersonatedAccounts'],
  ['dev_getTrackedData'],
  ['dev_getWorkspaces'],
  ['dev_getImportedContracts'],
  ['mock_getWipeSchedule'],
]
const known = new Set(methods.map(({ name }) => name))
const stateOf = async () =>
  JSON.stringify(
    await Promise.all(
      reads.filter(([name]) => known.has(name)).map(([name, ...params]) => network.rpc(name, ...params)),
    ),
  )

const cases = fc
  .constantFrom(...methods)
  .chain((method) => fc.tuple(fc.constant(method.name), fc.constant(method.role), spoiled(method), fc.boolean()))

it('answers malformed requests to every method with an error that names the field, and stores nothing', async () => {
  const wrong: unknown[] = []
  const refused = new Set<string>()
  let before = await stateOf()
  await fc.assert(
    fc.asyncProperty(cases, async ([name, role, params, overSocket]) => {
      const error = await send(name, params, overSocket)
      if (error) refused.add(name)
      if (error?.code === -32603) wrong.push({ name, params, error })
      // The field, as in params[0].to, or by its name.
      if (error?.code === -32602 && !/^invalid params: [\w.[\]() -]+: ./.test(error.message))
        wrong.push({ name, params, error })
      if (role === 'read') return
      // Junk that is right for this method has done what it says; a clock that ticks would hide what comes after it.
      if (!error) await network.rpc('dev_setMiningMode', 'instant')
      const after = await stateOf()
      if (error && after !== before) wrong.push({ name, params, error, before, after })
      before = after
    }),
    { numRuns: 1000, seed: 7, endOnFailure: true },
  )
  expect(wrong).toEqual([])
  expect(refused.size).toBeGreaterThan(methods.length / 2)
}, 120_000)
