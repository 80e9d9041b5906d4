import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from './startNetwork.ts'

const admin = 'keeper-5ecret-00003'
const reader = 'reader-5ecret-00001'
const account = '0x00000000000000000000000000000000000000aa'

let network: TestNetwork
beforeAll(async () => {
  network = await startNetwork({ apiKeys: [`${admin}:admin`, `${reader}:read`], auditLimit: 4 })
})
afterAll(() => network.stop())

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
    const [, second] = await load({ method: 'dev_setNonce' })
    expect(second).toMatchObject({ method: 'dev_setNonce', error: null })
    const [newest] = await load({ limit: 1 })
    expect((await load({ limit: 1, before: newest?.id }))[0]?.id).toBeLessThan(newest?.id ?? 0)
    await expect(load({ limit: 0 })).rejects.toMatchObject({ code: -32602 })
    await expect(load({ limt: 1 })).rejects.toMatchObject({ code: -32602 })
  })

  it('keeps the newest, and survives a restart', async () => {
    for (const nonce of [10, 11, 12, 13, 14, 15]) await network.rpc('dev_setNonce', account, nonce)
    await network.restart()
    const nonces = (await load({ method: 'dev_setNonce' })).map(({ params }) => (params as unknown[])[1])
    expect(nonces).toEqual([15, 14, 13, 12])
  })
})

const entry = (fields: Partial<Entry>) => ({
  id: expect.any(Number),
  at: expect.stringMatching(/Z$/),
  key: expect.stringMatching(/^[\da-f]{8}$/),
  ...fields,
})
