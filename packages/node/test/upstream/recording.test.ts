import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import {
  type Anvil,
  artifacts,
  connectClient,
  cpuTime,
  deployContract,
  type Ended,
  requireSuccess,
  runCommand,
  startAnvil,
  startUnderstudy,
  type TestClient,
} from '@understudy/testkit'
import type { Address } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startNetwork as startInProgram } from '../../src/api/startNetwork.ts'
import type { Clock } from '../../src/shared/clock.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'
import { locationOfDirectory } from '../testDatabase.ts'

const { abi } = artifacts.SlotReader
const stranger: Address = `0x${'57'.repeat(20)}`
const unread: Address = `0x${'99'.repeat(20)}`

let directory: string
let file: string
let anvil: Anvil
let live: TestClient
let reader: Address
const networks: TestNetwork[] = []

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-recording-'))
  file = join(directory, 'fork.gz')
  anvil = await startAnvil({ args: ['--timestamp', '1700000000'] })
  live = await connectClient(anvil.url)
  reader = await deployContract(live, artifacts.SlotReader)
  await write(0n, 10n)
})
afterEach(async () => {
  for (const network of networks.splice(0)) await network.stop()
  await anvil.stop()
  rmSync(directory, { recursive: true, force: true })
})

async function write(from: bigint, count: bigint): Promise<void> {
  const call = { address: reader, abi, functionName: 'fillFrom', args: [from, count] } as const
  await requireSuccess(live, await live.writeContract(call))
}

async function start(options: Record<string, unknown>, needs?: { clock: Clock }): Promise<TestNetwork> {
  const network = await startNetwork(options, needs)
  networks.push(network)
  return network
}
const record = (options = {}, needs?: { clock: Clock }) =>
  start({ forkUrls: [anvil.url], record: file, ...options }, needs)
const offline = (options = {}, needs?: { clock: Clock }) => start({ from: file, offline: true, ...options }, needs)

/** What a test would do: calls, logs, blocks, a transaction, changes. */
async function use({ client, rpc }: TestNetwork) {
  const sum = () => client.readContract({ address: reader, abi, functionName: 'sum', args: [10n] })
  const before = await sum()
  await rpc('dev_setBalance', stranger, '7')
  const write = { address: reader, abi, functionName: 'set', args: [3n, 1_004n], gas: 100_000n } as const
  const { status, gasUsed } = await client.waitForTransactionReceipt({ hash: await client.writeContract(write) })
  return {
    sums: [before, await sum()],
    status,
    gasUsed,
    chainId: await client.getChainId(),
    number: await client.getBlockNumber(),
    forked: await rpc('eth_getBlockByNumber', '0x1', true),
    logs: await rpc('eth_getLogs', { fromBlock: '0x0', toBlock: '0x2' }),
    balance: await client.getBalance({ address: stranger }),
    gasPrice: await client.getGasPrice(),
  }
}

const headTime = async ({ client }: TestNetwork) => Number((await client.getBlock()).timestamp)

describe('a recorded network', () => {
  it('answers the same without its live chain, and begins at the same time', async () => {
    const first = await record({ chainId: 4_242 })
    const forkedAt = await headTime(first)
    // The live chain goes on; the recorded head stands still.
    await write(20n, 5n)
    const answers = await use(first)
    expect(answers).toMatchObject({ sums: [55n, 1_055n], status: 'success', number: 3n })
    await first.node.stop()
    await anvil.stop()

    const second = await offline()
    expect(await use(second)).toEqual(answers)
    expect((await headTime(second)) - forkedAt).toBeLessThan(60)
    expect(await second.rpc('dev_getNetworkInfo')).toMatchObject({
      chainId: 4_242,
      upstream: { url: 'file:///fork.gz', reachable: true, detached: null },
    })
    await second.rpc('anvil_reset')
    expect(await use(second)).toEqual(answers)
  })

  it('serves a program without its live chain', async () => {
    const first = await record()
    expect(await first.client.getCode({ address: reader })).not.toBe('0x')
    await first.node.stop()
    await anvil.stop()
    const dataDir = join(directory, 'data')
    const network = await startInProgram({ from: file, offline: true, dataDir, workers: 0 })
    try {
      const client = await connectClient(network.url)
      expect([await client.getChainId(), await client.getCode({ address: reader })]).toEqual([31337, expect.anything()])
      // No sample chain runs beside it.
      expect(readdirSync(dataDir)).not.toContain('sample-chain')
    } finally {
      await network.stop()
    }
  })

  it('plays the heads that came, at another speed, with the state of each', async () => {
    let now = Date.UTC(2026, 0, 1)
    const after = (ms: number, task: () => void) => {
      const timer = setTimeout(task, ms)
      return { cancel: () => clearTimeout(timer) }
    }
    // Its time is set here, and its timers run.
    const clock = { now: () => now, after }
    const sumAt = async ({ client }: TestNetwork, number: bigint) => {
      await eventually(
        () => client.getBlockNumber(),
        (now) => now >= number,
      )
      return client.readContract({ address: reader, abi, functionName: 'sum', args: [12n] })
    }
    const first = await record({ recordHeads: true }, { clock })
    const sums = [await sumAt(first, 2n)]
    for (const [index, key] of [10n, 11n].entries()) {
      now += 60_000
      await write(key, 1n)
      sums.push(await sumAt(first, BigInt(index) + 3n))
    }
    await first.node.stop()
    await anvil.stop()
    expect(sums).toEqual([55n, 66n, 78n])

    const second = await offline({ playHeads: 3 }, { clock })
    const played = [await sumAt(second, 2n)]
    for (const number of [3n, 4n]) {
      now += 20_000
      played.push(await sumAt(second, number))
    }
    expect(played).toEqual(sums)
    await expect(offline({ playHeads: 0 })).rejects.toThrow('a speed above 0')
  })

  it('names what a recording does not have, and gets it once with its live chain', async () => {
    const first = await record({ forkBlockNumber: 1n })
    await first.client.getCode({ address: reader })
    await first.node.stop()
    const before = readFileSync(file)

    const alone = await offline()
    await expect(alone.client.getBalance({ address: unread })).rejects.toMatchObject({
      details: expect.stringMatching(
        new RegExp(`^the recording fork.gz has no answer to eth_getBalance \\["${unread}".*--extend`),
      ),
    })
    expect(await alone.client.getCode({ address: reader })).not.toBe('0x')
    await alone.node.stop()
    expect(readFileSync(file)).toEqual(before)

    const extending = await start({ from: file, extend: true, forkUrls: [anvil.url] })
    expect(await extending.client.getBalance({ address: unread })).toBe(0n)
    await extending.node.stop()
    await anvil.stop()
    expect(await (await offline()).client.getBalance({ address: unread })).toBe(0n)
    const linesOf = (bytes: Buffer) => gunzipSync(bytes).toString().split('\n').slice(1)
    const [old, grown] = [linesOf(before), linesOf(readFileSync(file))]
    expect(grown.filter((line) => old.includes(line))).toEqual(old)
    expect(grown.filter((line) => !old.includes(line)).every((line) => line.includes(unread))).toBe(true)
  })

  it('is not extended by another chain, and does not replace a file', async () => {
    const first = await record()
    await use(first)
    await first.node.stop()
    await anvil.stop()
    for (const other of [{ chainId: 77 }, { args: ['--timestamp', '1600000000'] }]) {
      anvil = await startAnvil(other)
      await (await connectClient(anvil.url)).mine({ blocks: 5 })
      const before = readFileSync(file)
      const extended = start({ from: file, extend: true, forkUrls: [anvil.url] })
      await expect(extended).rejects.toThrow(/is chain 77, not 31337|is not the chain that was forked/)
      expect(readFileSync(file)).toEqual(before)
      await anvil.stop()
    }
    for (const unusable of [file, join(directory, 'missing', 'fork.gz')])
      await expect(record({ record: unusable })).rejects.toMatchObject({ kind: 'RECORDING_UNWRITABLE' })
  })

  it('has what was read before a kill, also of a network that had read it before', async () => {
    const args = ['--fork-url', anvil.url, '--data-dir', join(directory, 'network')]
    const location = { environment: locationOfDirectory(directory) }
    const readSum = async (url: string) =>
      (await connectClient(url)).readContract({ address: reader, abi, functionName: 'sum', args: [10n] })
    const before = await startUnderstudy(args, location)
    expect(await readSum(before.url)).toBe(55n)
    await before.end()
    const recording = await startUnderstudy([...args, '--record', file], location)
    expect(await readSum(recording.url)).toBe(55n)
    await eventually(
      async () => runCommand(['recording', 'show', file, '--json']).ended,
      ({ stdout }) => stdout !== '' && (JSON.parse(stdout).byMethod.eth_getStorageAt ?? 0) >= 10,
    )
    await recording.end('SIGKILL')
    await anvil.stop()
    const { client } = await offline()
    expect(await client.readContract({ address: reader, abi, functionName: 'sum', args: [10n] })).toBe(55n)
  }, 60_000)
})

describe('understudy record', () => {
  const script = `
    const rpc = async (method, params) => (await (await fetch(process.env.UNDERSTUDY_RPC_URL, {
      method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) })).json())
    rpc('eth_getBalance', [process.argv[1], 'latest']).then(({ result }) => {
      console.log(result, process.env.ETH_RPC_URL === process.env.UNDERSTUDY_RPC_URL)
      process.exit(7)
    })`
  const run = (args: readonly string[], address: Address): Promise<Ended> =>
    runCommand(['record', '--log-level', 'silent', ...args, '--', process.execPath, '-e', script, address], {
      cwd: directory,
    }).ended
  const recording = (...args: string[]) => runCommand(['recording', ...args], { cwd: directory }).ended

  it('runs a command, and its files can be shown, merged and verified', async () => {
    const fork = ['--fork-url', anvil.url]
    const done = { code: 7, stdout: '0x0 true\n', stderr: '' }
    expect(await run(['--output', 'fork.gz', ...fork], stranger)).toEqual(done)
    expect(await run(['--output', 'other.gz', ...fork], unread)).toEqual(done)
    expect(await run(['--from', 'fork.gz', '--offline'], unread)).toMatchObject({ stdout: 'undefined true\n' })

    const shown = await recording('show', 'fork.gz')
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/chain 31337 at block 2 .*eth_getBalance/s) })
    expect(await recording('verify', 'fork.gz', ...fork)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^different +0$/m),
    })
    expect(await recording('merge', 'fork.gz', 'other.gz', '--output', 'fork.gz')).toMatchObject({ code: 0 })
    await anvil.stop()
    expect(await run(['--from', 'fork.gz', '--offline'], unread)).toEqual(done)

    anvil = await startAnvil({ args: ['--timestamp', '1600000000'] })
    await (await connectClient(anvil.url)).mine({ blocks: 5 })
    await run(['--output', 'another.gz', '--fork-url', anvil.url], stranger)
    expect(await recording('merge', 'fork.gz', 'another.gz', '--output', 'all.gz')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('another.gz cannot be used: it is of another chain than fork.gz'),
    })
    expect(await recording('verify', 'fork.gz', '--fork-url', anvil.url)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not the chain that was forked'),
    })
  }, 120_000)

  it('says which options do not go together', async () => {
    const refusals = [
      [['--output', 'a.gz', '--offline'], '--offline: name a recording with --from'],
      [['--from', 'a.gz'], '--from: pass either --offline, or --extend'],
      [['--from', 'a.gz', '--offline'], 'a.gz cannot be used: it does not exist'],
      [[], "required option '--output <FILE>'"],
    ] as const
    for (const [args, problem] of refusals) expect((await run(args, stranger)).stderr).toContain(problem)
  }, 60_000)
})

describe('a hostile recording', () => {
  const opened = () =>
    offline().then(
      () => 'opened',
      (error) => error.message as string,
    )

  it('is refused with the reason, in bounded time and memory', async () => {
    const network = await record()
    await network.client.getCode({ address: reader })
    await network.node.stop()
    const whole = readFileSync(file)
    const text = gunzipSync(whole).toString()
    const [header = '', ...lines] = text.split('\n')
    const forge = (body: string, calls: number) => {
      const sha256 = createHash('sha256').update(body).digest('hex')
      return gzipSync(
        `${header.replace(/"calls":\d+,"sha256":"\w+"/, `"calls":${calls},"sha256":"${sha256}"`)}\n${body}`,
      )
    }
    const megabyte = gzipSync(Buffer.alloc(1 << 20))
    const body = lines.join('\n')
    const count = lines.length - 1
    const cases: [what: string, bytes: Buffer, problem: RegExp][] = [
      ['empty', Buffer.alloc(0), /it (is cut off|does not begin)/],
      ['cut off', whole.subarray(0, whole.length - 20), /it is cut off/],
      ['cut off between its parts', gzipSync(text.slice(0, -100)), /its checksum is wrong/],
      ['not compressed', Buffer.from(text), /damaged, or not a recording/],
      ['changed', gzipSync(text.replace('0x', '0y')), /its checksum is wrong/],
      ['another file', gzipSync('hello\n'), /does not begin with "understudy recording 1"/],
      ['of a later version', gzipSync(text.replace('recording 1', 'recording 2')), /does not begin with/],
      ['with another first line', gzipSync(text.replace('"calls"', '"calsl"')), /its first line is invalid/],
      ['a bomb', Buffer.concat(Array.from({ length: 400 }, () => megabyte)), /more than 67108864 bytes when/],
      ['too large', Buffer.alloc((64 << 20) + 1), /larger than 67108864 bytes/],
      ['with a wrong count', forge(body, count + 1), /has not \d+ calls/],
      ['with a call twice', forge(`${lines[0]}\n${body}`, count + 1), /has not \d+ calls/],
      ['with a line that is no call', forge(`${body}hello\n`, count + 1), /line \d+ is invalid/],
      [
        'nested deep',
        forge(`${body}eth_x\t[]\tresult\t${'['.repeat(1e5)}${']'.repeat(1e5)}\n`, count + 1),
        /is invalid/,
      ],
      ['without a head', forge('', 0), /it has no head/],
      [
        'with a head that is no block',
        forge(body.replace(/(\["latest",false\]\tresult\t).*/, '$1{"number":7}'), count),
        /hash of eth_getBlockByNumber: expected a word/,
      ],
    ]
    for (const [what, bytes, problem] of cases) {
      writeFileSync(file, bytes)
      const before = cpuTime()
      expect(await opened(), what).toMatch(problem)
      expect(cpuTime() - before, what).toBeLessThan(5_000)
    }
    writeFileSync(file, forge(body, count))
    expect(await opened()).toBe('opened')
  }, 60_000)
})
