import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connectNetwork, createNetwork, networkInstance, type StartedNetwork } from '@understudy/testing'
import { type Anvil, artifacts, connectClient, deployContract, startAnvil } from '@understudy/testkit'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'

const suite = fileURLToPath(new URL('suite', import.meta.url))
const { abi } = artifacts.Counter
const stranger = '0x00000000000000000000000000000000000000a1'

let anvil: Anvil
let network: StartedNetwork
/** At the same address on the live chain and on the recorded one. */
let counter: Address
let directory: string
/** Of a live chain that has stopped: what a test of the suite reads of it. */
let recording: string

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-testing-'))
  recording = join(directory, 'fork.gz')
  const start = async () => {
    const started = await startAnvil()
    counter = await deployContract(await connectClient(started.url), artifacts.Counter, [5n])
    return started
  }
  const stopping = await start()
  {
    await using recorded = await createNetwork({ forkUrl: stopping.url, record: recording })
    await using branch = await recorded.createBranch()
    await branch.walletClient.writeContract({ address: counter, abi, functionName: 'increment' })
    for (const address of [stranger, branch.accounts[1] as Address]) {
      await branch.publicClient.getBalance({ address })
      await branch.testClient.setBalance({ address, value: 1n })
    }
  }
  await stopping.stop()
  anvil = await start()
  network = await createNetwork({ forkUrl: anvil.url })
})
afterAll(async () => {
  await network?.stop()
  await anvil?.stop()
  rmSync(directory, { recursive: true, force: true })
})

/** Runs Node.js in the folder of the suite; `UNDERSTUDY_RPC_URL` is only what is given. */
async function run(args: readonly string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, args, {
    cwd: suite,
    env: { PATH: process.env.PATH, COUNTER: counter, TMPDIR: directory, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const [code] = await once(child, 'close')
  return { code, output }
}

it('has clients and accounts, and branches that are removed when they are disposed of', async () => {
  const { publicClient, walletClient, testClient, accounts } = network
  expect(await publicClient.getChainId()).toBe(31_337)
  expect(accounts).toHaveLength(10)
  let url: string
  {
    await using branch = await network.createBranch({ name: 'pull/17' })
    url = branch.url
    expect(url).toBe(`${network.url}/n/pull%2F17`)
    const hash = await branch.walletClient.sendTransaction({ to: stranger, value: 7n })
    expect((await branch.publicClient.waitForTransactionReceipt({ hash })).blockNumber).toBe(branch.blockNumber + 1n)
    await using child = await branch.createBranch({ ttl: 60 })
    await child.testClient.dev.setBalance({ address: stranger, amount: 9n })
    expect(await branch.publicClient.getBalance({ address: stranger })).toBe(7n)
    expect(await child.publicClient.getBalance({ address: stranger })).toBe(9n)
  }
  await expect(connectNetwork(url)).rejects.toThrow()
  expect(await testClient.dev.getBranches()).toEqual([])
  expect(walletClient.account.address).toBe(accounts[0])
  expect(await publicClient.getBalance({ address: stranger })).toBe(0n)
})

it('gives each of 200 tests of node:test a branch, four at a time, on a live chain', async () => {
  const { code, output } = await run(['--test', '--test-reporter=tap', 'node.mjs'], { UNDERSTUDY_RPC_URL: network.url })
  expect(output).toContain('    1..200')
  expect([code, output.match(/^ *not ok.*/gm)]).toEqual([0, null])
  expect(await network.testClient.dev.getBranches()).toEqual([])
}, 120_000)

it('gives each of 200 tests of vitest a branch, in four workers, from a recording alone, and keeps that of a failed one', async () => {
  const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url))
  const { code, output } = await run([vitest, 'run', '--root', suite], { RECORDING: recording })
  const [, json = ''] = /^(\{.*\})$/m.exec(output) ?? []
  expect([code, JSON.parse(json)]).toMatchObject([1, { numPassedTests: 200, numFailedTests: 1 }])

  const [, kept = '', page = ''] = /start --data-dir (\S+) --from \S+ --offline\n {2}(\S+)\n/.exec(output) ?? []
  expect(existsSync(kept)).toBe(true)
  expect(page).toMatch(/\/n\/fails-\w{6}$/)
  await using again = await createNetwork({ dataDir: kept, from: recording, offline: true })
  const branch = await connectNetwork(again.url + new URL(page).pathname)
  expect(await branch.publicClient.getBalance({ address: branch.accounts[1] as Address })).toBe(1234n)
  expect(await again.testClient.dev.getBranches()).toHaveLength(1)
}, 120_000)

it('defines an instance that starts at a port and stops', async () => {
  const instance = networkInstance({ from: recording, offline: true, port: 0 })
  await instance.start()
  await instance.stop()
  expect(instance).toMatchObject({ name: 'understudy', host: '127.0.0.1', port: 0 })
})
