import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const command = join(dirname(createRequire(import.meta.url).resolve('understudy')), '../cli/main.js')

export type Understudy = {
  url: string
  directory: string
  /** Ends the process, by SIGTERM unless another signal is named; the data directory goes with it unless it is to be `kept`. */
  stop(options?: { kept?: boolean; signal?: NodeJS.Signals }): Promise<void>
}

/** Runs the built command as users do, in a process and a data directory of its own, on a free port. */
export async function startUnderstudy(args: readonly string[], directory?: string): Promise<Understudy> {
  const dataDirectory = directory ?? mkdtempSync(join(tmpdir(), 'understudy-bench-'))
  const child = spawn(process.execPath, [command, 'start', '--port', '0', '--data-dir', dataDirectory, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
      const listening = /Listening on (\S+)/.exec(output)?.[1]
      if (listening) resolve(listening)
    })
    child.once('close', (code) => reject(new Error(`understudy ended with ${code}: ${output}`)))
  })
  return {
    url,
    directory: dataDirectory,
    async stop({ kept = false, signal = 'SIGTERM' } = {}) {
      child.kill(signal)
      await ended
      if (!kept) rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}
