import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createUnderstudyClient, errorKind, subscribe } from '@understudy/client'
import { parseAbi } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { anvil, mainnet } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it, vi } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../../node/test/startNetwork.ts'

const someone = `0x${'5e'.repeat(20)}` as const
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

let network: TestNetwork
beforeAll(async () => {
  network = await startNetwork()
})
afterAll(() => network.stop())

describe('the client', () => {
  it('calls methods of the network beside those of viem', async () => {
    const client = createUnderstudyClient({ url: network.url })
    expect(await client.dev.setBalance({ address: someone, amount: 2n ** 80n })).toEqual({
      address: someone,
      balance: (2n ** 80n).toString(),
    })
    expect(await client.getBalance({ address: someone })).toBe(2n ** 80n)
    expect(await client.mock.getWipeSchedule()).toMatchObject({ intervalMs: null })
    await client.mine({ blocks: 1 })
    const [account = '0x'] = await client.getAddresses()
    const hash = await client.sendTransaction({ account, to: someone, value: 1n })
    expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success')
  })

  it('sends nothing when it is made, and asks for the chain id where it signs', async () => {
    expect(createUnderstudyClient({ url: 'http://127.0.0.1:1' }).chain).toBeNull()
    const account = mnemonicToAccount('test test test test test test test test test test test junk')
    const client = createUnderstudyClient({ url: network.url, account })
    const abi = parseAbi(['constructor()', 'function f()'])
    for (const send of [
      () => client.sendTransaction({ to: someone, value: 1n }),
      () => client.writeContract({ address: someone, abi, functionName: 'f' }),
      () => client.deployContract({ abi, bytecode: '0x00' }),
    ]) {
      const { status } = await client.waitForTransactionReceipt({ hash: await send() })
      expect(status).toBe('success')
    }
  })

  it('takes a chain, whose id the network must have', async () => {
    const ours = createUnderstudyClient({ url: network.url, account: someone, chain: anvil })
    expectTypeOf(ours.chain.id).toEqualTypeOf<31337>()
    expect(ours.chain.id).toBe(31337)
    const other = createUnderstudyClient({ url: network.url, account: someone, chain: mainnet })
    await expect(other.sendTransaction({ to: someone })).rejects.toThrow('does not match the target chain')
  })

  it('tells of errors by their kind', async () => {
    const client = createUnderstudyClient({ url: network.url })
    const error = await client.dev.removeFunctionOverride({ id: 'nothing' }).catch((thrown: unknown) => thrown)
    expect(errorKind(error)).toBe('OVERRIDE_NOT_FOUND')
  })

  it('listens over a WebSocket', async () => {
    const client = createUnderstudyClient({ url: network.url.replace('http', 'ws') })
    const numbers: number[] = []
    const stop = await subscribe(client, 'dev_network', { onData: ({ head }) => numbers.push(head.number) })
    const before = await eventually(
      async () => numbers.at(-1),
      (number) => number !== undefined,
    )
    await client.mine({ blocks: 1 })
    await eventually(
      async () => numbers.at(-1),
      (number) => number === (before ?? 0) + 1,
    )
    await stop()
    await (client.transport as unknown as { getRpcClient(): Promise<{ close(): void }> })
      .getRpcClient()
      .then((rpc) => rpc.close())
    const http = createUnderstudyClient({ url: network.url })
    await expect(subscribe(http, 'dev_network', { onData() {} })).rejects.toThrow('needs a WebSocket')
  })
})

describe('the examples of the README', () => {
  const directory = at('./.examples')
  const blocks = [
    ...readFileSync(at('../README.md'), 'utf8').matchAll(/## ([^\n]+)\n(?:(?!## )[\s\S])*?```ts\n([\s\S]*?)```/g),
  ]
  const printed: Record<string, unknown> = {
    'Change the network': 'success',
    'Override a function': 150_000_000_000n,
    'Extend an existing viem client': expect.any(Number),
    'Send raw requests': '1000000000000000000',
    'Handle errors': 'OVERRIDE_NOT_FOUND',
    Subscribe: expect.any(Number),
  }
  beforeAll(() => mkdirSync(directory, { recursive: true }))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  it.each(blocks.map(([, title = '', code = '']) => [title, code]))('runs: %s', async (title, code) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    const file = `${directory}/${title.replace(/\W+/g, '')}.ts`
    writeFileSync(file, code.replaceAll('127.0.0.1:8545', new URL(network.url).host))
    await import(/* @vite-ignore */ file)
    expect(log.mock.calls).toEqual([[printed[title]]])
    log.mockRestore()
  })
})

// The compiler knows no globals of Node.js there (see tsconfig.json); what is left are imports.
it('imports nothing but viem', () => {
  const files = readdirSync(at('../src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  )
  const imported = files.flatMap((file) =>
    [...readFileSync(at(`../src/${file}`), 'utf8').matchAll(/ from '([^'.][^']*)'/g)].map(([, name]) => name),
  )
  expect([...new Set(imported)]).toEqual(['viem'])
})
