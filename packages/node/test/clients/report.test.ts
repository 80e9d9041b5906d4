import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, type FaultProxy, startAnvil, startFaultProxy } from '@understudy/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { runCommand } from '../runCommand.ts'
import { startNetwork } from '../startNetwork.ts'

let anvil: Anvil
let proxy: FaultProxy
let directory: string
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())
beforeEach(async () => {
  proxy = await startFaultProxy(anvil.url)
  directory = mkdtempSync(join(tmpdir(), 'understudy-report-'))
})
afterEach(async () => {
  await proxy.stop()
  rmSync(directory, { recursive: true, force: true })
})

const run = (args: string[], environment: Record<string, string> = {}) => runCommand(args, directory, environment).ended

it('says what a running network is, and its last errors, without its secrets', async () => {
  const secrets = ['k3y-in-path', 'k3y-in-query', 'k3y-in-header', 'k3y-of-client-0123456789', 'password of the tests']
  const [path, query, header, apiKey] = secrets
  const network = await startNetwork({
    forkUrls: [`${proxy.url}/v2/${path}?key=${query}`],
    forkHeaders: { 'x-key': header },
    apiKeys: [`${apiKey}:admin`],
    mine: 'manual',
  })
  try {
    // An endpoint that repeats what it was asked with.
    proxy.set({ status: 403, body: Buffer.from(`no ${path} ${query} ${header}`) })
    const unread = `0x${'22'.repeat(20)}` as const
    await expect(network.client.getBalance({ address: unread })).rejects.toThrow()
    const environment = { UNDERSTUDY_RPC_URL: network.url, UNDERSTUDY_API_KEY: apiKey as string }
    const json = await run(['report', '--json'], environment)
    const markdown = await run(['report'], environment)
    expect(JSON.parse(json.stdout)).toMatchObject({
      command: { version: expect.stringMatching(/^\d+\.\d+\.\d+$/), node: process.versions.node },
      network: {
        network: { chainId: 31337, rules: { hardfork: expect.any(String) }, mode: 'manual' },
        options: { '--api-key': '***:admin', '--fork-header': 'x-key: ***', '--mine': 'manual' },
        storage: { kind: expect.stringMatching(/^(sqlite|postgres)$/), bytes: expect.any(Number) },
        problems: expect.arrayContaining([
          expect.objectContaining({ level: 'error', message: 'Upstream refuses to serve', count: expect.any(Number) }),
        ]),
      },
      problem: null,
      recording: null,
    })
    expect(JSON.parse(json.stdout).network.storage.bytes).toBeGreaterThan(100_000)
    expect(markdown.stdout).toMatch(/^## Report\n\n\| \| \|\n\| --- \| --- \|\n\| understudy \| \d/)
    expect(markdown.stdout).toContain('### Last warnings and errors\n\n**')
    for (const secret of secrets) expect(`${json.stdout}${markdown.stdout}`).not.toContain(secret)
    expect([json.code, markdown.code]).toEqual([0, 0])
  } finally {
    await network.stop()
  }
})

it('has the versions when no network answers, and not the key that it was asked with', async () => {
  const url = 'http://127.0.0.1:1/rpc/k3y-of-client-01'
  const { code, stdout } = await run(['report', '--rpc-url', url, '--api-key', 'k3y-of-client-02'])
  expect(code).toBe(0)
  expect(stdout).toContain(`| Node.js | ${process.versions.node} |`)
  expect(stdout).toMatch(/\| network \| none: no network answers at http:\/\/127\.0\.0\.1:1\/rpc\/\*\*\*\. /)
  expect(stdout).not.toContain('k3y')
  // It answers, and refuses.
  const network = await startNetwork({ apiKeys: ['k3y-of-client-03:admin'] })
  const refused = await run(['report', '--rpc-url', network.url, '--api-key', 'k3y-of-client-02'])
  await network.stop()
  expect([refused.code, refused.stdout]).toEqual([0, expect.stringMatching(/\| network \| none: .+ \|/)])
  expect(refused.stdout).not.toContain('k3y')
})

it('records what shows a fault, with the command that shows it again without the live chain', async () => {
  const look = `const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: ['0x${'11'.repeat(20)}', 'latest'] })
    fetch(process.env.ETH_RPC_URL, { method: 'POST', body }).then((answer) => answer.json()).then(({ error }) => {
      console.log(error ? error.message : 'the fault')
      process.exitCode = 3
    })`
  const fork = ['--fork-url', `${proxy.url}/v2/k3y-in-path`, '--chain-id', '4242']
  const { code, stdout, stderr } = await run([
    'report',
    '--json',
    '--recording',
    'fork.gz',
    ...fork,
    '--',
    'node',
    '-e',
    look,
  ])
  expect([code, stderr]).toEqual([0, expect.stringContaining('the fault\n')])
  expect(stdout).not.toContain('k3y-in-path')
  const { network, recording } = JSON.parse(stdout)
  expect(network.network).toMatchObject({ chainId: 4242, upstream: { chainId: 31337 } })
  expect(recording).toMatchObject({ file: 'fork.gz', chainId: 31337, calls: expect.any(Number) })
  expect(existsSync(join(directory, 'fork.gz'))).toBe(true)
  await proxy.down()
  expect(recording.command).toMatch(/^understudy record --from fork\.gz --offline -- node -e '/)
  const again = await run(['record', '--from', 'fork.gz', '--offline', '--', 'node', '-e', look])
  expect([again.code, again.stdout]).toEqual([3, expect.stringContaining('the fault\n')])
})

it('says that a recording needs a command', async () => {
  for (const args of [
    ['--recording', 'fork.gz'],
    ['--', 'npm', 'test'],
  ]) {
    const { code, stderr } = await run(['report', ...args])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--recording FILE and a COMMAND after -- belong together'),
    ])
  }
})
