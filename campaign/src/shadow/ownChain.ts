import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postJsonRpc, runCommand } from '@understudy/testkit'
import type { LiveChain } from './market.ts'

/** Traders that no other network funds: their accounts would be changed there. */
const mnemonic = 'letter advice cage absurd amount doctor acoustic avoid letter advice cage above'

/**
 * A network of ours as the live chain. It makes transactions faster than anvil, and traces a block by running it once.
 */
export async function startOwnChain(): Promise<LiveChain & { stop(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'understudy-live-'))
  const file = join(directory, 'serve.json')
  const options = { port: 0, 'data-dir': join(directory, 'data'), 'log-level': 'error' }
  const live = { 'chain-id': 31337, mnemonic }
  writeFileSync(file, JSON.stringify({ options, networks: { live }, keys: [] }))
  const { child, ended, listening } = runCommand(['serve', '--config', file])
  const url = `${await listening}/n/live`
  return {
    url,
    mnemonic,
    rpc: (method, params = []) => postJsonRpc(url, method, params),
    async batch(calls) {
      const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
      const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      const answers = (await response.json()) as { error?: { message: string } }[]
      const failed = answers.find(({ error }) => error)?.error
      if (failed) throw new Error(failed.message)
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
