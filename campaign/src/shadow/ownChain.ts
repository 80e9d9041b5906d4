import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postJsonRpc, runCommand } from '@understudy/testkit'
import type { LiveChain } from './market.ts'

/**
 * A network of ours as the live chain. It makes transactions faster than anvil, and has block access lists, so that no block
 * is traced.
 */
export async function startOwnChain(): Promise<LiveChain & { stop(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'understudy-live-'))
  const file = join(directory, 'serve.json')
  const options = { port: 0, 'data-dir': join(directory, 'data'), 'log-level': 'error' }
  const live = { hardfork: 'amsterdam', 'chain-id': 31337 }
  writeFileSync(file, JSON.stringify({ options, networks: { live }, keys: [] }))
  const { child, ended, listening } = runCommand(['serve', '--config', file])
  const url = `${await listening}/n/live`
  return {
    url,
    rpc: (method, params = []) => postJsonRpc(url, method, params),
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
