import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, type Ended, type FaultProxy, runCommand, startAnvil, startFaultProxy } from '@understudy/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { UpstreamReport } from '../../../src/upstream/providers/checkUpstream.ts'

const blocks = 1_200
const key = 'k3y-of-a-provider'

let anvil: Anvil
let proxy: FaultProxy
let cwd: string
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'check-upstream-'))
  anvil = await startAnvil()
  await anvil.rpc('anvil_mine', [blocks])
  proxy = await startFaultProxy(anvil.url, { webSockets: true })
})
afterEach(() => {
  proxy.clear()
  proxy.resetStats()
})
afterAll(async () => {
  await proxy.stop()
  await anvil.stop()
  await rm(cwd, { recursive: true })
})

const check = (...args: string[]): Promise<Ended> => runCommand(['check-upstream', ...args], { cwd }).ended

/** The report, and the exit code. */
async function reportOf(...args: string[]): Promise<{ code: number | null; report: UpstreamReport }> {
  const { code, stdout } = await check('--json', ...args)
  return { code, report: JSON.parse(stdout) }
}

const field = (text: string, name: string) =>
  new RegExp(`^${name} +(.*(?:\\n {14}.*)*)`, 'm').exec(text)?.[1]?.replace(/\n +/g, ' ')
const flat = (text: string) => text.replace(/\n {2}(?=\S)/g, ' ')

const isRead = ({ method }: { method: string }) => method === 'eth_getBalance' || method === 'eth_call'
const refuse = (code: number, message: string) => ({ error: { code, message } })

test('an endpoint that can everything is told in lines of at most 80 columns', async () => {
  const { code, stdout, stderr } = await check(proxy.url)
  expect(code).toBe(0)
  expect(stderr).toBe('')
  expect(
    stdout
      .replace(proxy.url, 'http://URL')
      .replace(/[\d.]+ ms/, 'N ms')
      .replace(/\d+ (s|min) old/, 'N s old')
      .replace(/[\d.]+ s$/m, 'N s')
      .replace(/anvil\/\S+/, 'anvil/VERSION')
      .replace(/with \d+ requests/, 'with N requests'),
  ).toMatchInlineSnapshot(`
    "http://URL
    chain         31337
    client        anvil/VERSION
    head          block 1200, N s old
    latency       N ms
    batches       up to 100 requests
    block hashes  taken
    state         of every block
    logs          1201 blocks in a query
    methods       eth_getBlockReceipts, eth_getProof, eth_createAccessList,
                  debug_traceCall, debug_traceBlockByNumber, debug_traceBlockByHash,
                  trace_replayBlockTransactions; without eth_getBlockAccessList
    rate          30 of 30 requests answered in N s
    new heads     announced
    checked       with N requests

    Nothing will be slow or missing.
    "
  `)
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test('an endpoint without batches is told with the words of its refusal', async () => {
  proxy.set({ refuseBatches: 'status' })
  const { code, stdout } = await check(proxy.url)
  expect(code).toBe(0)
  expect(field(stdout, 'batches')).toBe(
    'not taken; 100 refused: HTTP 400, code -32600, "batch requests are not supported"',
  )
  expect(flat(stdout)).toContain('- Without batches, each value is a request: a call that reads 100 new slots')
})

test('the size of batches is found with a few requests', async () => {
  proxy.set({ maxBatch: 7 })
  const { code, report } = await reportOf(proxy.url)
  expect(code).toBe(0)
  expect(report.endpoints[0]?.batches).toMatchObject({
    largest: 6,
    refused: 100,
    refusal: { kind: 'no batches', status: 200, code: -32600, words: 'batch of 100 calls is larger than 7' },
  })
  expect(proxy.stats().batches).toBe(5)
})

test('an endpoint that reads no state by block hash is told, with what it costs', async () => {
  proxy.set({ refuseBlockHashes: true })
  const { code, stdout } = await check(proxy.url)
  expect(code).toBe(0)
  expect(field(stdout, 'block hashes')).toContain('refused: HTTP 200, code -32602')
  expect(flat(stdout)).toContain('each round of reads costs one more request')
})

test('an endpoint that keeps few blocks of state is told by how many', async () => {
  proxy.set({ prunedBelow: blocks - 100 })
  const { code, stdout } = await check(proxy.url)
  expect(code).toBe(0)
  expect(field(stdout, 'state')).toMatch(
    /^kept for 3 blocks or more; 127 blocks back refused: HTTP 200, code -32000, "missing trie/,
  )
  expect(flat(stdout)).toContain('- State is gone after few blocks')
  proxy.set({ prunedBelow: blocks - 127 })
  expect((await reportOf(proxy.url)).report.endpoints[0]?.state).toMatchObject({ deepest: 127, refused: 128 })
})

test('an endpoint with the state of the newest block only is usable, by the tag', async () => {
  proxy.set({
    answer: (call) =>
      isRead(call) && call.params?.[1] !== 'latest' ? refuse(-32000, 'historical state is not available') : undefined,
  })
  const { code, report } = await reportOf(proxy.url)
  expect(code).toBe(0)
  expect(report.endpoints[0]).toMatchObject({ state: { isByNumber: false }, blockHashes: { areTaken: false } })
  expect(report.endpoints[0]?.consequences[0]).toContain('It has the state of the newest block only')
})

test('an endpoint that answers for old blocks by the newest state is found out', async () => {
  proxy.set({
    answer: ({ method, params }) => {
      if (method === 'eth_getBalance' && params?.[1] !== 'latest') return { result: '0x0' }
      return method === 'eth_call' ? { result: `0x${blocks.toString(16).padStart(64, '0')}` } : undefined
    },
  })
  const { report } = await reportOf(proxy.url)
  expect(report.endpoints[0]?.state?.isFaked).toBe(true)
  expect(report.endpoints[0]?.consequences[0]).toContain('results at older blocks are wrong')
})

test('the range of queries of logs is found, and what is missing without methods', async () => {
  const missingMethods = [
    ...['debug_traceBlockByNumber', 'debug_traceBlockByHash', 'trace_replayBlockTransactions', 'eth_getProof'],
    ...['debug_traceCall', 'eth_createAccessList', 'eth_getBlockReceipts'],
  ]
  proxy.set({
    missingMethods,
    answer: ({ method, params }) => {
      if (method !== 'eth_getLogs') return undefined
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
      return Number(toBlock) - Number(fromBlock) + 1 > 100 ? refuse(35, 'block range is too wide') : undefined
    },
  })
  const { code, stdout } = await check(proxy.url)
  expect(code).toBe(0)
  expect(field(stdout, 'logs')).toMatch(/^100 blocks in a query; \d+ blocks refused: HTTP 200, code 35, "block range/)
  const text = flat(stdout)
  expect(field(stdout, 'methods')).toContain('none; without eth_getBlockReceipts, eth_getProof')
  expect(text).toContain('10 000 blocks are 100 requests')
  expect(text).toContain('- Nothing tells what a block changed')
  expect(text).toContain('- Nothing tells what a call will read')
  expect(text).toContain('- Without eth_getBlockReceipts, the receipts of a live block are read one by one.')
})

test('a burst ends with the first refusal, which is told', async () => {
  let reads = 0
  proxy.set({
    refuseBatches: 'object',
    answer: ({ method, params }) =>
      method === 'eth_getBalance' && params?.[1] === 'latest' && ++reads > 10
        ? refuse(429, 'Too Many Requests')
        : undefined,
  })
  const { code, report } = await reportOf(proxy.url)
  expect(code).toBe(0)
  const { rate } = report.endpoints[0] ?? {}
  expect(rate).toMatchObject({ answered: 10, refusal: { kind: 'slow down', code: 429, words: 'Too Many Requests' } })
  expect(rate?.requests).toBeLessThan(20)
})

test('an endpoint that refuses what it can is asked at most 60 requests', async () => {
  proxy.set({
    refuseBatches: 'status',
    refuseBlockHashes: true,
    prunedBelow: 1,
    answer: ({ method }) =>
      /^(eth_getLogs|debug_|trace_)/.test(method) ? refuse(-32603, 'Internal error') : undefined,
  })
  const { report } = await reportOf(proxy.url)
  expect(report.endpoints[0]?.requests).toBe(proxy.stats().requests)
  expect(proxy.stats().requests).toBeLessThanOrEqual(60)
  expect(proxy.stats().maxInFlight).toBeLessThanOrEqual(8)
})

test('the better of two endpoints of a chain is to be named first', async () => {
  proxy.set({ refuseBatches: 'object' })
  const { code, stdout } = await check(proxy.url, anvil.url)
  expect(code).toBe(0)
  expect(stdout).toContain(`1  ${proxy.url}\n`)
  expect(flat(stdout)).toContain(
    `Pass them in this order:\n1. ${anvil.url} (number 2): it takes larger batches\n2. ${proxy.url} (number 1): for when the others fail\n`,
  )
})

test('endpoints of other chains are refused by name', async () => {
  const [other, twin] = await Promise.all([
    startAnvil({ chainId: 137 }),
    startAnvil({ args: ['--timestamp', '1700000000'] }),
  ])
  const { code, stdout } = await check(anvil.url, other.url, twin.url)
  expect(code).toBe(1)
  const text = flat(stdout)
  expect(text).toContain(
    `It cannot be used:\n- It is another chain: 137 (Polygon), while ${anvil.url} is 31337. Leave one of them out.`,
  )
  expect(text).toMatch(/It is another chain with the same id: its block 0 is 0x[0-9a-f]{64}, while/)
  expect(text).not.toContain('Pass them in this order')
  await Promise.all([other.stop(), twin.stop()])
})

test('an endpoint that is away, that refuses the key or that fails is not usable', async () => {
  const dead = await startFaultProxy(anvil.url)
  await dead.down()
  const { code, stdout } = await check(dead.url)
  expect(code).toBe(1)
  expect(flat(stdout)).toContain(
    'It cannot be reached: it refused the connection. Check the host, the port, and what is in between.',
  )

  proxy.set({ status: 401 })
  const denied = await check(`${proxy.url}/${key}`)
  expect(denied.code).toBe(1)
  expect(flat(denied.stdout)).toContain('It refuses to serve (HTTP 401). Check the key and the path of the URL')
  expect(denied.stdout).not.toContain(key)

  proxy.set({ status: 503 })
  const failing = await check(proxy.url)
  expect(failing.code).toBe(1)
  expect(flat(failing.stdout)).toContain('It fails eth_chainId (HTTP 503).')

  proxy.set({ status: 429 })
  const limiting = await check(proxy.url)
  expect(limiting.code).toBe(1)
  expect(flat(limiting.stdout)).toContain('It limits the rate of requests from the first ones on (HTTP 429).')
})

test('the chain EraVM runs on cannot be forked', async () => {
  proxy.set({ answer: ({ method }) => (method === 'eth_chainId' ? { result: '0x144' } : undefined) })
  const { code, stdout } = await check(proxy.url)
  expect(code).toBe(1)
  expect(flat(stdout)).toContain('whose contracts run on EraVM, not on the EVM')
})

test('keys are not printed, also when the endpoint repeats them', async () => {
  proxy.set({
    answer: ({ method }) => (method === 'eth_getLogs' ? refuse(-32000, `${key} and header-of-mine`) : undefined),
  })
  const url = `${proxy.url}/v2/${key}?token=${key}-too`
  const header = ['--fork-header', 'x-key: header-of-mine']
  for (const args of [[], ['--json']]) {
    const { code, stdout, stderr } = await check(url, ...header, ...args)
    expect(code).toBe(0)
    expect(stdout).toContain('*** and ***')
    expect(stdout + stderr).not.toContain(key)
    expect(stdout + stderr).not.toContain('header-of-mine')
  }
})

test('what an endpoint says cannot move the cursor of a terminal', async () => {
  proxy.set({ answer: ({ method }) => (method === 'eth_getLogs' ? refuse(-32000, 'no\u001b[2Jlogs') : undefined) })
  const { stdout } = await check(proxy.url)
  expect(stdout).not.toContain('\u001b')
  expect(stdout).toContain('no\\u{1b}[2Jlogs')
})

test('without a URL, those of the environment are checked', async () => {
  const { ended } = runCommand(['check-upstream'], { cwd, environment: { UNDERSTUDY_FORK_URL: proxy.url } })
  expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining(proxy.url) })
  expect(await check()).toMatchObject({ code: 2, stderr: expect.stringContaining('name at least one endpoint') })
  expect(await check('nonsense:')).toMatchObject({ code: 2, stderr: expect.stringContaining('--fork-url') })
})

test('Ctrl-C ends it without the answer that it waits for', async () => {
  const release = proxy.hold()
  const { child, ended } = runCommand(['check-upstream', proxy.url], { cwd })
  await proxy.arrived(1)
  child.kill('SIGINT')
  expect((await ended).stdout).toBe('')
  release()
})

test('its help says what it does, with options as start has them', async () => {
  const { code, stdout } = await check('--help')
  expect(code).toBe(0)
  expect(stdout).toContain('Usage: understudy check-upstream [options] [URL...]')
  for (const option of ['--fork-header', '--upstream-timeout', '--upstream-batch-size', '--config', '--json'])
    expect(stdout).toContain(option)
  expect((await runCommand(['--help'], { cwd }).ended).stdout).toContain('check-upstream')
})
