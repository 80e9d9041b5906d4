import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const main = join(dirname(createRequire(import.meta.url).resolve('understudy')), '../cli/main.js')

/** A network as users start it: a process of its own that forks the sample chain. */
export type SampleNetwork = {
  url: string
  /** Where its data are. */
  directory: string
  /** Any JSON-RPC method. Rejects with the network's message. */
  rpc<T = unknown>(method: string, ...params: unknown[]): Promise<T>
  /** Ends the process, as when it crashes; its data stay. */
  kill(): Promise<void>
  /** Starts it again, on the same port and data. */
  revive(): Promise<void>
  stop(): Promise<void>
}

export async function startSampleNetwork(flags: readonly string[] = [], key?: string): Promise<SampleNetwork> {
  const directory = mkdtempSync(join(tmpdir(), 'understudy-e2e-'))
  let running = await launch(directory, ['--port', '0', ...flags])
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
    kill: () => running.end('SIGKILL'),
    async revive() {
      running = await launch(directory, ['--port', new URL(url).port, ...flags])
    },
    async stop() {
      await running.end('SIGTERM')
      rmSync(directory, { recursive: true, force: true })
    },
  }
  return network
}

async function launch(directory: string, flags: readonly string[]) {
  const child = spawn(process.execPath, [main, 'start', '--data-dir', directory, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    child.stdout.on('data', (chunk) => {
      said += chunk
      const found = /JSON-RPC\s+(http\S+)/.exec(said)?.[1]
      if (found) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`The network ended with ${code}: ${said}`)))
  })
  return {
    url,
    async end(signal: NodeJS.Signals) {
      child.kill(signal)
      await exited
    },
  }
}
