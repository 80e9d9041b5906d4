import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startUnderstudy } from '@understudy/testkit'

/** A network as users start it: a process of its own that forks the sample chain. */
export type SampleNetwork = {
  url: string
  /** Where its data are. */
  directory: string
  /** Any JSON-RPC method. Rejects with the network's message. */
  rpc<T = unknown>(method: string, ...params: unknown[]): Promise<T>
  /** Ends the process, by default as when it crashes; its data stay. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Starts it again, on the same port and data. */
  revive(): Promise<void>
  stop(): Promise<void>
}

export async function startSampleNetwork(flags: readonly string[] = [], key?: string): Promise<SampleNetwork> {
  const directory = mkdtempSync(join(tmpdir(), 'understudy-e2e-'))
  let running = await launch(directory, flags)
  const { url } = running
  const network: SampleNetwork = {
    url,
    directory,
    async rpc(method, ...params) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      const { result, error } = (await response.json()) as { result: never; error?: { message: string } }
      if (error) throw new Error(`${method}: ${error.message}`)
      return result
    },
    async kill(signal = 'SIGKILL') {
      await running.end(signal)
    },
    async revive() {
      running = await launch(directory, ['--port', new URL(url).port, ...flags])
    },
    async stop() {
      await running.end()
      rmSync(directory, { recursive: true, force: true })
    },
  }
  return network
}

const launch = (directory: string, flags: readonly string[]) => startUnderstudy(['--data-dir', directory, ...flags])
