import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAnvil } from '@understudy/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../runCommand.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const admin = 'keeper-5ecret-00003'
const reader = 'reader-5ecret-00001'
const account = '0x00000000000000000000000000000000000000aa'

let network: TestNetwork
beforeEach(async () => {
  network = await startNetwork({ apiKeys: [`${admin}:admin`, `${reader}:read`], auditLimit: 4 })
})
afterEach(() => network.stop())

type Entry = { id: number; at: string; key: string; method: string; params: unknown; error: string | null }
const load = (filter?: unknown) => network.rpc<Entry[]>('dev_getAuditLog', ...(filter === undefined ? [] : [filter]))

describe('the audit log', () => {
  it('has what was done and what was refused, by whom, the newest first, and nothing that only reads', async () => {
    await network.rpc('dev_setNonce', account, 5)
    await network.rpc('dev_setNonce', account, -1).catch(() => {})
    await network.rpc('eth_chainId')
    await fetch(`${network.url}/rpc/${reader}`, {
      method: 'POST',
      body: JSON.stringify({ id: 1, method: 'anvil_setBalance', params: [account, '0x1'] }),
    })
    const entries = await load()
    expect(entries).toEqual([
      entry({ method: 'dev_setBalance', params: [account, '0x1'], error: 'UNAUTHORIZED' }),
      entry({ method: 'dev_setNonce', params: [account, -1], error: 'INVALID_PARAMS' }),
      entry({ method: 'dev_setNonce', params: [account, 5], error: null }),
    ])
    expect(entries[0]?.key).not.toBe(entries[1]?.key)
    expect(JSON.stringify(entries)).not.toContain('5ecret')
  })

  it('is read in pages and by method', async () => {
    await network.rpc('dev_setNonce', account, 5)
    await network.rpc('dev_setNonce', account, -1).catch(() => {})
    await network.rpc('dev_setBalance', account, '1')
    const [, second] = await load({ method: 'dev_setNonce' })
    expect(second).toMatchObject({ method: 'dev_setNonce', error: null })
    const [newest] = await load({ limit: 1 })
    expect((await load({ limit: 1, before: newest?.id }))[0]?.id).toBeLessThan(newest?.id ?? 0)
    await expect(load({ limit: 0 })).rejects.toMatchObject({ code: -32602 })
    await expect(load({ limt: 1 })).rejects.toMatchObject({ code: -32602 })
  })

  it('keeps the newest, and survives a restart', async () => {
    for (const nonce of [-1, 10, 11, 12, 13, 14, 15]) await network.rpc('dev_setNonce', account, nonce).catch(() => {})
    await network.restart()
    const nonces = (await load({ method: 'dev_setNonce' })).map(({ params }) => (params as unknown[])[1])
    // What failed is kept apart.
    expect(nonces).toEqual([15, 14, 13, 12, -1])
  })
})

const post = (path: string, body: unknown) =>
  fetch(network.url + path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })

describe('what is refused', () => {
  it('pushes out nothing of what was done, however often it is', async () => {
    for (const nonce of [14, 15, 20]) await network.rpc('dev_setNonce', account, nonce)
    const wrong = Array.from({ length: 50 }, (_, id) => ({ id, method: 'dev_setNonce', params: [account, -1 - id] }))
    await post(`/rpc/${admin}`, wrong)
    await post(`/rpc/${reader}`, wrong)
    const entries = await load({ method: 'dev_setNonce' })
    expect(entries.filter(({ error }) => error === null).map(({ params }) => (params as unknown[])[1])).toEqual([
      20, 15, 14,
    ])
    expect(entries.filter(({ error }) => error !== null).length).toBeLessThanOrEqual(4)
  })

  it('is also written for an unknown key, or a verification', async () => {
    expect((await post('/rpc/nobody-5ecret-00000', { id: 1, method: 'eth_chainId' })).status).toBe(401)
    const claim = (key: string) =>
      fetch(`${network.url}/rpc/${key}/api`, {
        method: 'POST',
        body: new URLSearchParams({
          module: 'contract',
          action: 'verifysourcecode',
          contractaddress: account,
          contractname: 'A',
          compilerversion: 'v0.8.30',
        }),
      })
    await claim(admin)
    const [verified, authentication] = await load({ limit: 2 })
    expect([verified, authentication]).toEqual([
      entry({
        method: 'verification',
        params: [{ address: account, contract: 'Contract.sol:A', compilerVersion: '0.8.30' }],
        error: null,
      }),
      { ...entry({ method: 'authentication', params: { from: '127.0.0.1' }, error: 'UNAUTHORIZED' }), key: null },
    ])
    expect(JSON.stringify(await load())).not.toContain('5ecret')
  })
})

describe('--audit-file', () => {
  it('has each call before it is answered, in a chain that goes on after a kill', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'understudy-audit-'))
    const file = join(directory, 'audit.jsonl')
    const start = () =>
      runCommand(
        ['start', '--data-dir', 'data', '--audit-file', file, '--port', '0', '--fork-url', anvil.url],
        directory,
      )
    const anvil = await startAnvil({})
    try {
      for (const round of [1, 2]) {
        const run = start()
        const url = await run.listening
        const body = JSON.stringify({ id: 1, method: 'dev_setNonce', params: [account, round] })
        expect((await fetch(url, { method: 'POST', body })).status).toBe(200)
        run.child.kill('SIGKILL')
        await run.ended
      }
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
      expect(lines.map((line) => JSON.parse(line))).toMatchObject([1, 2].map((n) => ({ n, params: [account, n] })))
      const verify = () => runCommand(['audit', 'verify', file], directory).ended
      expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringContaining('2 entries, valid') })
      writeFileSync(file, `${lines.join('\n').replace(`${account}",1`, `${account}",9`)}\n`)
      expect(await verify()).toMatchObject({ code: 1, stderr: expect.stringContaining('line 2') })
    } finally {
      await anvil.stop()
      rmSync(directory, { recursive: true })
    }
  })

  it('keeps the network as it is when it cannot be written', async () => {
    const file = join(network.directory, 'audit.jsonl')
    await network.restart({ auditFile: file })
    appendFileSync(file, 'x')
    await network.rpc('dev_setNonce', account, 30)
    await expect(network.rpc('dev_setNonce', account, 31)).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining('another process wrote to it'),
    })
    expect(await network.rpc('eth_getTransactionCount', account)).toBe('0x1e')
    truncateSync(file, 0)
    await network.rpc('dev_setNonce', account, 32)
  })
})

const entry = (fields: Partial<Entry>) => ({
  id: expect.any(Number),
  at: expect.stringMatching(/Z$/),
  key: expect.stringMatching(/^[\da-f]{8}$/),
  ...fields,
})
