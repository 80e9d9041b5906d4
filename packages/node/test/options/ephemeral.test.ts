import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, connectClient, startAnvil, startUnderstudy, type Understudy } from '@understudy/testkit'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { startHost, type TestHost } from '../host/startHost.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { isInDatabase } from '../testDatabase.ts'

const stranger = '0x00000000000000000000000000000000000000a1'

let anvil: Anvil
/** Where the commands of these tests make temporary files, and where they run. */
let directory: string
let temporary: string
let started: Understudy | undefined
let host: TestHost | undefined
let network: TestNetwork | undefined
beforeAll(async () => {
  anvil = await startAnvil()
  directory = mkdtempSync(join(tmpdir(), 'understudy-ephemeral-'))
  temporary = join(directory, 'temporary')
  mkdirSync(temporary)
})
afterEach(async () => {
  await started?.end('SIGKILL')
  await host?.stop()
  await network?.stop()
  started = host = network = undefined
})
afterAll(async () => {
  await anvil?.stop()
  rmSync(directory, { recursive: true, force: true })
})

const command = (args: readonly string[], environment: Record<string, string> = {}) =>
  startUnderstudy(args, { cwd: directory, environment: { TMPDIR: temporary, ...environment } })

type Branch = { url: string; ephemeral: boolean }

async function rpc<T>(url: string, method: string, ...params: unknown[]): Promise<T> {
  return (await connectClient(url)).request({ method, params } as never)
}

async function transfer(url: string): Promise<void> {
  const client = await connectClient(url)
  const hash = await client.sendTransaction({ to: stranger, value: 7n })
  expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success')
}

const balanceAt = async (url: string) => (await connectClient(url)).getBalance({ address: stranger })

it.each(['SIGTERM', 'SIGKILL'] as const)('begins empty after %s, and leaves no file', async (signal) => {
  started = await command(['--fork-url', anvil.url, '--ephemeral'])
  await transfer(started.url)
  const { url: branch } = await rpc<Branch>(started.url, 'dev_createBranch', { name: 'b' })
  await transfer(branch)
  expect([await balanceAt(started.url), await balanceAt(branch)]).toEqual([7n, 14n])
  const { stdout } = await started.end(signal)
  expect(stdout).toContain('Data        none (--ephemeral): the network is gone when this process ends')
  expect([readdirSync(directory), readdirSync(temporary)]).toEqual([['temporary'], []])

  started = await command(['--fork-url', anvil.url, '--ephemeral'])
  const client = await connectClient(started.url)
  expect([await client.getBlockNumber(), await balanceAt(started.url)]).toEqual([0n, 0n])
  expect(await rpc(started.url, 'dev_getBranches')).toEqual([])
})

it('keeps everything while it runs, and begins again with anvil_reset', async () => {
  started = await command(['--fork-url', anvil.url, '--ephemeral'])
  const client = await connectClient(started.url)
  await transfer(started.url)
  const snapshot = await rpc(started.url, 'evm_snapshot')
  await transfer(started.url)
  await rpc(started.url, 'evm_revert', snapshot)
  expect([await client.getBlockNumber(), await balanceAt(started.url)]).toEqual([1n, 7n])
  await rpc(started.url, 'anvil_reset', { forking: { jsonRpcUrl: anvil.url, blockNumber: 0 } })
  expect([await client.getBlockNumber(), await balanceAt(started.url)]).toEqual([0n, 0n])
  await transfer(started.url)
  expect(await balanceAt(started.url)).toBe(7n)
})

it('has the sample chain without a directory, too', async () => {
  started = await command(['--ephemeral'])
  expect(await (await connectClient(started.url)).getBlockNumber()).toBeGreaterThan(0n)
  expect(readdirSync(directory)).toEqual(['temporary'])
})

it.each([
  ['--data-dir', ['--data-dir', 'kept'], {}],
  ['UNDERSTUDY_DATA_DIR', [], { UNDERSTUDY_DATA_DIR: 'kept' }],
  ['--database-url', ['--database-url', 'postgres://db.example/network'], {}],
  ['--audit-file', ['--audit-file', 'audit.log'], {}],
])('refuses %s', async (name, args, environment) => {
  const problem = `${name}: expected none with --ephemeral, which keeps nothing. Leave one of both out`
  await expect(command(['--ephemeral', ...args], environment)).rejects.toThrow(problem)
})

it('lets networks of a server sleep with what they have, and forgets them with it', async () => {
  const options = { networks: { a: { ephemeral: true, 'chain-id': 5 }, b: {} }, 'awake-limit': 1 }
  if (isInDatabase) {
    await expect(startHost(options)).rejects.toThrow('networks.a: database-url: expected none with --ephemeral')
    return
  }
  host = await startHost(options)
  const [urlOfA, urlOfB] = [`${host.url}/n/a`, `${host.url}/n/b`]
  await transfer(urlOfA)
  const { body } = await host.http('POST', '/networks', { name: 'made', options: { ephemeral: true } })
  expect(body).toMatchObject({ name: 'made' })
  await transfer(`${host.url}/n/made`)
  for (const name of ['kept', 'passing'])
    await host.rpc('/n/b', 'dev_createBranch', [{ name, ephemeral: name === 'passing' }])
  await transfer(`${urlOfB}/n/passing`)
  // Each wakes while the others sleep.
  for (const url of [urlOfA, `${host.url}/n/made`, `${urlOfB}/n/passing`]) expect(await balanceAt(url)).toBe(7n)

  await host.restart()
  expect([await balanceAt(`${host.url}/n/a`), await balanceAt(`${host.url}/n/b`)]).toEqual([0n, 0n])
  expect((await host.rpc<{ name: string }[]>('/', 'dev_getNetworks')).map(({ name }) => name)).toEqual(['a', 'b'])
  expect(await host.rpc('/n/b', 'dev_getBranches')).toMatchObject([{ name: 'kept', ephemeral: false }])
})

it('has branches that end with the process, in a network that is kept', async () => {
  network = await startNetwork({ forkUrls: [anvil.url] })
  const branch = await network.rpc<Branch>('dev_createBranch', { name: 'passing', ephemeral: true })
  expect(branch.ephemeral).toBe(true)
  await transfer(branch.url)
  // It goes on with what its parent had, which goes on without it.
  const child = await rpc<Branch>(branch.url, 'dev_createBranch', { name: 'kept' })
  await transfer(child.url)
  await network.restart()
  expect(await network.rpc('dev_getBranches')).toMatchObject([{ name: 'kept' }])
  expect(await balanceAt(`${network.url}/n/kept`)).toBe(14n)
})
