import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { command } from '@understudy/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { refusal, use } from './client.ts'

const key = 'reader-5ecret-00001'
let network: TestNetwork
beforeAll(async () => {
  network = await startNetwork({ apiKeys: [`${key}:read`] })
})
afterAll(() => network.stop())

async function connect(
  url: string,
  { apiKey = key, mode = 'auto' }: { apiKey?: string; mode?: 'auto' | 'legacy' } = {},
) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const args = [command, 'mcp', '--rpc-url', url]
  const env = { PATH: process.env.PATH ?? '', UNDERSTUDY_API_KEY: apiKey }
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }))
  return client
}

describe('understudy mcp', () => {
  it.each(['auto', 'legacy'] as const)('passes on what %s clients ask, at the same time too', async (mode) => {
    const client = await connect(network.url, { mode })
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25')
    expect((await client.listTools()).tools).toHaveLength(23)
    const found = await Promise.all(Array.from({ length: 20 }, () => use(client, 'describe_network')))
    expect(new Set(found.map(({ role }) => role))).toEqual(new Set(['read']))
    const error = await refusal(client, 'mine', { blocks: 1 })
    expect(error).toMatchObject({ error: 'UNAUTHORIZED' })
    await client.close()
  })

  it('says that a key is unknown, and that no network answers', async () => {
    await expect(connect(network.url, { apiKey: 'nobody-5ecret-00000', mode: 'legacy' })).rejects.toThrow(
      'the API key is unknown',
    )
    await expect(connect('http://127.0.0.1:1', { mode: 'legacy' })).rejects.toThrow(
      'no network answers at http://127.0.0.1:1',
    )
  })
})
