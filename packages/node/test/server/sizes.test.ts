import { gunzipSync } from 'node:zlib'
import { cpuTime } from '@understudy/testkit'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSocket } from '../rawSocket.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const someone: Address = `0x${'5e'.repeat(20)}`
const word = `0x${'ab'.repeat(32)}`
const many = (length: number, value: string) => Array.from({ length }, () => value)
const nested = (depth: number): object => {
  let parameter: object = { type: 'uint256', name: '' }
  for (let level = 0; level < depth; level++) parameter = { type: 'tuple', name: '', components: [parameter] }
  return parameter
}

let network: TestNetwork
beforeAll(async () => {
  network = await startNetwork({})
})
afterAll(() => network?.stop())

type Answer = { result?: unknown; error?: { code: number; message: string } }
async function ask(method: string, params: unknown): Promise<Answer> {
  const body =
    typeof params === 'string'
      ? `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`
      : JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return (await (
    await fetch(network.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  ).json()) as Answer
}

describe('what is too much', () => {
  it.each(['eth_getLogs', 'eth_newFilter'])('%s refuses by name', async (method) => {
    expect((await ask(method, [{ address: many(1_000, someone), topics: [many(1_000, word)] }])).error).toBeUndefined()
    for (const [filter, problem] of [
      [{ address: many(100_000, someone) }, 'address: has 100000 addresses; the maximum is 1000'],
      [{ topics: [null, many(70_000, word)] }, 'topics[1]: has 70000 topics; the maximum is 1000'],
    ])
      expect((await ask(method, [filter])).error).toMatchObject({
        code: -32602,
        message: expect.stringContaining(problem as string),
      })
  })

  const objects = `[${many(1_000_000, '{}').join()}]`
  it.each([
    ['eth_simulateV1', `[{"blockStateCalls":[{"calls":${objects}}]},"latest"]`],
    ['eth_callMany', `[[{"transactions":${objects}}],{}]`],
    ['dev_importContracts', `[{"contracts":${objects}}]`],
    ['eth_call', `[{"authorizationList":[${many(1_000_000, '1').join()}]},"latest"]`],
    ['dev_getDivergences', `[{"kinds":[${many(1_000_000, '1').join()}]}]`],
  ])('%s does not read very many values', async (method, params) => {
    const before = cpuTime()
    expect((await ask(method, params)).error).toMatchObject({
      code: -32005,
      message: expect.stringContaining('objects'),
    })
    // Reading them took some twenty seconds.
    expect(cpuTime() - before).toBeLessThan(5000)
  })

  it('says what is wrong with as many as it reads', async () => {
    const { error } = await ask('eth_simulateV1', `[{"blockStateCalls":[{"calls":[${many(110_000, '1').join()}]}]}]`)
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('calls[0]') })
  })

  it('dev_importContracts does not read very many contracts', async () => {
    const before = cpuTime()
    const { error } = await ask('dev_importContracts', `[{"contracts":[${many(490_000, '{}').join()}]}]`)
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('more than 10000 contracts') })
    // Reading them took 14 seconds.
    expect(cpuTime() - before).toBeLessThan(5000)
  })

  it('eth_getProof has at most 1024 slots', async () => {
    const { error } = await ask('eth_getProof', [someone, many(1025, '0x1'), 'latest'])
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('1024 slots') })
  })

  it('a subscription to logs refuses too', async () => {
    const socket = await openSocket(network.url)
    await expect(socket.request('eth_subscribe', 'logs', { address: many(1_001, someone) })).rejects.toThrow(
      '1001 addresses',
    )
    await socket.close()
  })

  const item = { address: someone, type: 'function-result', name: 'x' }
  const contract = { name: 'C', bytecode: '0x00' }
  const fragment = (depth: number) => ({ type: 'function', name: 'f', inputs: [], outputs: [nested(depth)] })
  it.each([
    [
      'dev_addFunctionOverride',
      (functionAbi: unknown) => ({ contractAddress: someone, functionAbi, returnValues: ['1'] }),
      'functionAbi',
    ],
    ['dev_addTrackedData', (functionAbi: unknown) => ({ ...item, functionAbi }), 'functionAbi'],
    ['dev_addWorkspace', (abi: unknown) => ({ name: 'w', abi: `[${abi}]` }), 'abi'],
    ['dev_importContracts', (abi: unknown) => ({ contracts: [{ ...contract, abi: `[${abi}]` }] }), 'abi'],
  ])('%s refuses tuples that are nested too deep', async (method, input, field) => {
    for (const depth of [17, 2_000, 20_000]) {
      const { error } = await ask(method, [input(stringified(fragment(depth)))])
      expect(error).toMatchObject({
        code: -32602,
        message: expect.stringMatching(new RegExp(`${field}.*(nested more than|has more than 100000 char)`)),
      })
    }
  })

  it('every method refuses parameters that are nested too deep', async () => {
    const { methods } = (await ask('rpc.discover', [])).result as { methods: { name: string }[] }
    expect(methods.length).toBeGreaterThan(150)
    const deep = `${'['.repeat(3_000)}${']'.repeat(3_000)}`
    for (const { name } of methods)
      for (const params of [`[${deep}]`, `["latest",{"a":${deep}}]`])
        expect((await ask(name, params)).error, name).toMatchObject({ code: -32602 })
  })
})

/** `JSON.stringify` of what is nested deeper than its stack. */
function stringified(value: unknown): string {
  const { outputs, ...rest } = value as { outputs: object[] }
  let closing = ''
  let text = ''
  let at: Record<string, unknown> | undefined = outputs[0] as Record<string, unknown>
  while (at) {
    const { components, ...fields } = at as { components?: Record<string, unknown>[] }
    text += components ? `${JSON.stringify(fields).slice(0, -1)},"components":[` : JSON.stringify(fields)
    closing += components ? ']}' : ''
    at = components?.[0]
  }
  closing = closing.length > 0 ? ']}'.repeat(closing.length / 2) : ''
  return `${JSON.stringify(rest).slice(0, -1)},"outputs":[${text}${closing}]}`
}

it('the state is dumped as it was at one moment, while it changes', async () => {
  const accounts = Array.from({ length: 60 }, (_, n): Address => `0x${(n + 1_000).toString(16).padStart(40, 'c')}`)
  for (const account of accounts) await network.rpc('anvil_setBalance', account, '0x1')
  let isDone = false
  const changes = (async () => {
    for (let n = 2; !isDone; n++)
      for (const account of accounts) await network.rpc('anvil_setBalance', account, `0x${n.toString(16)}`)
  })()
  const dumps = await Promise.all(Array.from({ length: 40 }, () => ask('anvil_dumpState', []))).finally(() => {
    isDone = true
  })
  await changes
  for (const { error, result } of dumps) {
    expect(error).toBeUndefined()
    const state = JSON.parse(gunzipSync(Buffer.from((result as string).slice(2), 'hex')).toString()) as {
      accounts: Record<string, { balance: string }>
    }
    const balances = accounts.map((account) => Number(state.accounts[account]?.balance))
    // Written one after another: those behind the newest write are at most one behind it.
    expect(Math.max(...balances) - Math.min(...balances)).toBeLessThanOrEqual(1)
    expect([...balances].sort((a, b) => b - a)).toEqual(balances)
  }
})
