import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startUnderstudy as startCommand } from '@understudy/testkit'

export type Understudy = {
  url: string
  directory: string
  /** Ends the process, by SIGTERM unless another signal is named; the data directory goes with it unless it is to be `kept`. */
  stop(options?: { kept?: boolean; signal?: NodeJS.Signals }): Promise<void>
}

/** Runs the built command as `npm start` does, in a process of its own, with a data directory unless it is ephemeral, on a free port. */
export async function startUnderstudy(args: readonly string[], directory?: string): Promise<Understudy> {
  const dataDirectory = directory ?? mkdtempSync(join(tmpdir(), 'understudy-bench-'))
  const environment = { NODE_OPTIONS: '--v8-pool-size=0' }
  const dataFlags = args.includes('--ephemeral') ? [] : ['--data-dir', dataDirectory]
  const network = await startCommand([...dataFlags, ...args], { environment })
  return {
    url: network.url,
    directory: dataDirectory,
    async stop({ kept = false, signal = 'SIGTERM' } = {}) {
      await network.end(signal)
      if (!kept) rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}
