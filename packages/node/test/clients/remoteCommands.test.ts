import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { artifacts, command, connectClient, deployContract, startAnvil, testAccounts } from '@understudy/testkit'
import { pad, parseEther } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../runCommand.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

const [alice, bob] = testAccounts.map(({ address }) => address.toLowerCase()) as [string, string]
const someone = `0x${'5e'.repeat(20)}` as const

let network: TestNetwork
let directory: string
beforeEach(async () => {
  network = await startNetwork({ accounts: 2 })
  directory = mkdtempSync(join(tmpdir(), 'understudy-remote-'))
})
afterEach(async () => {
  await network?.stop()
  rmSync(directory, { recursive: true, force: true })
})

const run = (...args: string[]) => runCommand(args, directory, { UNDERSTUDY_RPC_URL: network.url }).ended
/** What a command prints with `--json`. */
async function json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}
async function text(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args)
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

describe('looking', () => {
  it('tells where the network stands', async () => {
    expect(await text('status')).toMatch(
      /^version +\d.*\nchain id +31337\nchain +chain 31337, in ETH\nrules +osaka\nhead +block \d+ of 20/m,
    )
    expect(await json('status')).toMatchObject({ chainId: 31337, mode: 'instant' })
  })

  it('lists the accounts', async () => {
    expect(await json('accounts')).toMatchObject([
      { address: alice },
      { address: bob, balance: '10000000000000000000000' },
    ])
    expect(await text('accounts')).toMatch(/^address +balance +nonce\n0xf39f/)
  })
})

describe('changing state', () => {
  it('takes amounts with units', async () => {
    expect(await json('state', 'balance', someone, '1.5ether')).toEqual({
      address: someone,
      balance: parseEther('1.5').toString(),
    })
    expect(await network.client.getBalance({ address: someone })).toBe(parseEther('1.5'))
    const { code, stderr } = await run('state', 'balance', someone, '1.5parsec')
    expect([code, stderr]).toEqual([2, expect.stringContaining('expected wei, or an amount with a unit')])
  })

  it('keeps a state in a file and in a snapshot, and goes back', async () => {
    await json('state', 'nonce', someone, '7')
    const snapshot = await json<string>('state', 'snapshot')
    await json('state', 'dump', 'state.gz')
    await json('state', 'nonce', someone, '9')
    expect(await json('state', 'revert', snapshot)).toEqual({ reverted: true })
    expect(await network.client.getTransactionCount({ address: someone })).toBe(7)
    await json('wipe', 'now')
    expect(await network.client.getTransactionCount({ address: someone })).toBe(0)
    await json('state', 'load', 'state.gz')
    expect(await network.client.getTransactionCount({ address: someone })).toBe(7)
    expect(readFileSync(join(directory, 'state.gz')).subarray(0, 2).toString('hex')).toBe('1f8b')
  })

  it('shows and sets the schedule of wipes', async () => {
    expect(await json('wipe', 'schedule', '--every', '90000', '--router', bob)).toMatchObject({
      intervalMs: 90000,
      routers: [bob],
    })
    expect(await text('wipe', 'schedule')).toContain('intervalMs  90000')
    expect(await json('wipe', 'schedule', '--every', 'never')).toMatchObject({ intervalMs: null })
  })

  it('mines, and switches the mode', async () => {
    const before = Number(await network.client.getBlockNumber())
    expect(await json('mine', '5', '--interval', '12')).toEqual({ mined: 5, head: before + 5 })
    expect(await json('mine', '--mode', 'manual')).toEqual({ mode: 'manual' })
    const pending = await json<{ hash: string }>('tx', 'send', someone, '--value', '2gwei')
    expect(pending).toMatchObject({ status: 'pending', from: alice, value: '2000000000', block: null })
    expect(await json('tx', 'drop', pending.hash)).toEqual({ dropped: true })
    await json('mine', '--mode', 'instant')
  })

  it('sends transactions and shows them', async () => {
    await json('impersonate', 'add', someone)
    expect(await text('impersonate', 'list')).toBe(`${someone}\n`)
    await json('state', 'balance', someone, '1ether')
    const sent = await json<{ hash: string }>('tx', 'send', bob, '--from', someone, '--value', '1')
    expect(await json('tx', 'show', sent.hash)).toMatchObject({
      status: 'success',
      from: someone,
      to: bob,
      gasUsed: 21000,
    })
    await json('impersonate', 'remove', someone)
    const { code, stderr } = await run('tx', 'send', bob, '--from', someone)
    expect([code, stderr]).toEqual([1, expect.stringContaining('dev_impersonateAccount')])
  })
})

describe('overrides and tracked data', () => {
  it('adds, lists, changes and removes overrides', async () => {
    const abi = 'function latestAnswer() view returns (int256)'
    const { id } = await json<{ id: string }>('override', 'add', someone, abi, '5')
    expect(await text('override', 'list')).toMatch(
      new RegExp(`^id +contract .*\\n${id} +${someone} +latestAnswer +- +5 +true`),
    )
    expect(await json('override', 'update', id, '6')).toMatchObject({ returnValues: ['6'] })
    expect(await json('override', 'disable', id)).toMatchObject({ enabled: false })
    expect(await json('override', 'enable', id)).toMatchObject({ enabled: true })
    expect(await json('override', 'remove', id)).toEqual({ id, removed: true })
    expect(await text('override', 'list', someone)).toBe('none\n')
  })

  it('tracks, lists what was recorded, and removes', async () => {
    const { id } = await json<{ id: string }>(
      'track',
      'add',
      someone,
      'native-token-balance',
      '--name',
      'Vault',
      '--tag',
      'a',
    )
    await json('state', 'balance', someone, '42')
    await json('mine')
    const { values } = await json<{ values: { value: string }[] }>('track', 'values', id)
    expect(values.map(({ value }) => value)).toEqual(['42'])
    expect(await text('track', 'list', '--tag', 'a')).toMatch(/Vault +native-token-balance .* 42 /)
    expect(await json('track', 'update', id, '--name', 'Safe')).toMatchObject({ name: 'Safe' })
    expect(await json('track', 'remove', id)).toEqual({ id, removed: true })
  })

  it('refuses to follow where nothing is forked, in the words of the network', async () => {
    const { code, stderr } = await run('follow', 'account', someone)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: this network is not a fork/)])
    const asJson = await run('follow', 'account', someone, '--json')
    expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { code: -32004, data: { kind: 'NOT_A_FORK' } } })
    expect(await text('follow', 'list')).toBe('none\n')
  })
})

describe('workspaces', () => {
  it('are added, listed, shown and removed', async () => {
    const { wallet } = await json<{ wallet: { id: string } }>('workspace', 'add', 'Treasury', someone)
    expect(wallet.id).toMatch(/^wlt_/)
    writeFileSync(join(directory, 'Counter.json'), JSON.stringify({ abi: artifacts.Counter.abi }))
    const described = await json('workspace', 'add', 'Counter', '--abi', 'Counter.json')
    expect(described).toMatchObject({ kind: 'manual', projectContractDeployment: null })
    expect(await text('workspace', 'list')).toMatch(/Treasury/)
    expect(await json('workspace', 'show', wallet.id)).toMatchObject({ name: 'Treasury', address: someone })
    expect(await json('workspace', 'remove', wallet.id)).toEqual({ id: wallet.id, removed: true })
  })
})

describe('following the live chain', () => {
  it('follows accounts, slots and token balances, lists them, and ends that', async () => {
    const live = await startAnvil()
    const client = await connectClient(live.url)
    const token = (await deployContract(client, artifacts.PlainToken, ['Plain', 'PLAIN', 5n])).toLowerCase()
    const fork = await startNetwork({ forkUrls: [live.url] })
    const there = async (...args: string[]) => {
      const { stdout, stderr } = await runCommand([...args, '--json', '--rpc-url', fork.url], directory).ended
      expect(stderr).toBe('')
      return JSON.parse(stdout)
    }
    try {
      expect(await there('follow', 'slots', token, '8', '0x9')).toMatchObject({
        followedSlots: [pad('0x8'), pad('0x9')],
      })
      const { slot } = await there('follow', 'balance', token, alice)
      expect(await there('follow', 'account', someone)).toMatchObject({ followed: true })
      expect(await there('follow', 'list')).toEqual({
        accounts: [someone],
        slots: { [token]: [pad('0x8'), pad('0x9'), slot].sort() },
        tokenBalances: [{ token, holder: alice.toLowerCase(), address: token, slot }],
      })
      expect(await there('unfollow', 'slots', token, '8', '9')).toMatchObject({ removed: 2 })
      expect(await there('unfollow', 'balance', token, alice)).toMatchObject({ removed: 1 })
      expect(await there('unfollow', 'account', someone)).toMatchObject({ removed: true })
      expect(await there('state', 'resync', token)).toMatchObject({ slotsCleared: 0 })
    } finally {
      await fork.stop()
      await live.stop()
    }
  })
})

describe('pushing contracts', () => {
  const { abi, bytecode, deployedBytecode } = artifacts.Counter
  const write = (path: string, content: unknown) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const foundry = (name: string, path = `src/${name}.sol`, code: string = deployedBytecode) => ({
    abi,
    bytecode: { object: bytecode, linkReferences: {} },
    deployedBytecode: { object: code, linkReferences: {} },
    metadata: { settings: { compilationTarget: { [path]: name } } },
  })
  const hardhat = (name: string) => ({
    contractName: name,
    sourceName: `contracts/${name}.sol`,
    abi,
    bytecode,
    deployedBytecode,
    linkReferences: {},
    deployedLinkReferences: {},
  })
  const imported = () => network.rpc<{ name: string; versions: { sourcePath: string }[] }[]>('dev_getImportedContracts')

  it('reads what Foundry compiled, without tests, scripts and interfaces, and finds what is deployed', async () => {
    const address = await deployContract(network.client, artifacts.Counter, [1n])
    write('out/Tally.sol/Tally.json', foundry('Tally'))
    write('out/Tally.t.sol/TallyTest.json', foundry('TallyTest', 'test/Tally.t.sol'))
    write('out/ITally.sol/ITally.json', foundry('ITally', 'src/ITally.sol', '0x'))
    write('out/build-info/1.json', { id: '1' })
    write('src/Tally.sol', 'contract Tally {}')
    const result = await json('push')
    expect(result).toMatchObject({ contracts: [{ name: 'Tally', status: 'created' }] })
    expect((result.linkedDeployments as { address: string }[]).map((each) => each.address)).toContain(
      address.toLowerCase(),
    )
    expect(await text('push')).toMatch(/^Pushed 1 contract: 1 unchanged\n/)
    expect((await imported()).find(({ name }) => name === 'Tally')?.versions[0]?.sourcePath).toBe('src/Tally.sol')
  })

  it.each([2, 3])('reads what Hardhat %i compiled', async (version) => {
    const name = `Hat${version}`
    write(`artifacts/contracts/${name}.sol/${name}.json`, { ...hardhat(name), _format: `hh${version}-sol-artifact-1` })
    write(`artifacts/contracts/${name}.sol/${name}.dbg.json`, { buildInfo: 'x' })
    write('artifacts/build-info/x.json', { output: {} })
    expect(await json('push', '.')).toMatchObject({ contracts: [{ name, status: 'created' }] })
  })

  it('pushes again whatever is compiled while it watches', async () => {
    write('out/Watched.sol/Watched.json', foundry('Watched'))
    const { child, ended } = runCommand(['push', '--watch'], directory, { UNDERSTUDY_RPC_URL: network.url })
    let stderr = ''
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    await eventually(
      async () => stderr,
      (printed) => printed.includes('Watching'),
    )
    write('out/Later.sol/Later.json', foundry('Later'))
    await eventually(
      async () => (await imported()).map(({ name }) => name),
      (names) => names.includes('Later'),
    )
    child.kill('SIGTERM')
    expect((await ended).stdout).toMatch(/^Pushed 1 contract: 1 created/)
  })

  it('notices folders that are created later, or created again', async () => {
    const { child, ended } = runCommand(['push', '--watch'], directory, { UNDERSTUDY_RPC_URL: network.url })
    await once(child.stderr as Readable, 'data')
    for (const name of ['First', 'Second']) {
      rmSync(join(directory, 'out'), { recursive: true, force: true })
      write(`out/${name}.sol/${name}.json`, foundry(name))
      await eventually(
        async () => (await imported()).map((each) => each.name),
        (names) => names.includes(name),
      )
    }
    child.kill('SIGTERM')
    await ended
  })

  it('says so when nothing is compiled', async () => {
    const { code, stderr } = await run('push')
    expect([code, stderr]).toEqual([1, expect.stringContaining('Compile first, or pass another directory')])
  })
})

describe('long work', () => {
  /** Runs a command in a terminal, which it can tell from a pipe, and answers what stood there. */
  const inTerminal = async (...args: string[]) => {
    const line = [process.execPath, command, ...args, '--rpc-url', network.url].join(' ')
    const { stdout } = await promisify(execFile)('script', ['--quiet', '--return', '--command', line, '/dev/null'])
    return readable(stdout)
  }
  const readable = (printed: string) => printed.replaceAll('\u001b[K', '<wiped>')

  it('shows in a terminal how far it is, and wipes that away', async () => {
    const printed = await inTerminal('mine', '2500')
    const bars = [...printed.matchAll(/\rSealing blocks \[(#*)(\.*)\] (\d+)\/2500/g)]
    expect(bars.map(([, done = '', left = '', blocks]) => [done.length, left.length, blocks])).toEqual([
      [0, 30, '0'],
      [12, 18, '1000'],
      [24, 6, '2000'],
      [30, 0, '2500'],
    ])
    expect(printed).toMatch(/2500\/2500<wiped>\r<wiped>mined +2500/)
  })

  it('wipes it away before it says what went wrong', async () => {
    const { stdout } = await inTerminal('mine', '2500', '--interval', '9007199254740991').catch((error) => error)
    expect(readable(stdout)).toMatch(/0\/2500<wiped>\r<wiped>error: /)
  })

  it('says nothing of it to a pipe', async () => {
    expect(await text('mine', '2')).toMatch(/^mined +2\n/)
  })
})

describe('what can go wrong', () => {
  it('is told: no network, no such command, a missing argument', async () => {
    const { code, stderr } = await run('status', '--rpc-url', 'http://127.0.0.1:1')
    expect([code, stderr]).toEqual([1, expect.stringContaining('no network answers at http://127.0.0.1:1')])
    const web = createServer((_, response) => response.end('<html>')).listen(0, '127.0.0.1')
    await once(web, 'listening')
    const port = (web.address() as AddressInfo).port
    expect(await run('status', '--rpc-url', `http://127.0.0.1:${port}`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Is it an Understudy network?'),
    })
    web.close()
    expect(await run('track', 'ad')).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown command 'ad'") })
    expect(await run('override', 'add', someone)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("missing required argument 'function'"),
    })
  })
})
