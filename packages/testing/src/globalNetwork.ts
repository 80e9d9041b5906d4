import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NetworkOptions } from '@understudy/node'
import { createNetwork, type StartedNetwork } from './createNetwork.ts'
import { environment } from './environment.ts'

export type GlobalOptions = NetworkOptions & {
  /** Keeps the branches of tests that fail, with the data directory, and prints how to open them. Default: false. */
  keepOnFailure?: boolean
}

/** Ends what the set-up of this process started, for runners whose set-up and teardown are two files. */
let running: (() => Promise<void>) | undefined
export const stopGlobalNetwork = async (): Promise<void> => running?.()

/**
 * Makes a set-up for a whole run, for vitest's, Jest's and Playwright's `globalSetup`: it starts a network that the workers
 * find, and returns the teardown. Where UNDERSTUDY_RPC_URL names a network, that one is used, and is not stopped.
 */
export function globalNetwork({ keepOnFailure = false, ...options }: GlobalOptions = {}) {
  return async (): Promise<() => Promise<void>> => {
    if (keepOnFailure) process.env[environment.keep] = '1'
    if (process.env[environment.url]) return async () => {}
    const temporary =
      keepOnFailure && options.dataDir === undefined && options.databaseUrl === undefined
        ? mkdtempSync(join(tmpdir(), 'understudy-kept-'))
        : undefined
    const network = await createNetwork(temporary === undefined ? options : { ...options, dataDir: temporary })
    process.env[environment.url] = network.url
    running = async () => {
      running = undefined
      delete process.env[environment.url]
      const kept = keepOnFailure ? await keptBranches(network) : []
      await network.stop()
      if (kept.length > 0) process.stdout.write(howToOpen(kept, { ...options, dataDir: temporary ?? options.dataDir }))
      else if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true })
    }
    return running
  }
}

/** Branches of tests and workers have an end otherwise. */
async function keptBranches({ testClient }: StartedNetwork): Promise<string[]> {
  const branches = await testClient.dev.getBranches()
  return branches.filter(({ expiresAt }) => expiresAt === null).map(({ name }) => name)
}

function howToOpen(names: readonly string[], { dataDir, databaseUrl, forkUrl, from }: NetworkOptions): string {
  const flags = [
    databaseUrl === undefined ? `--data-dir ${dataDir}` : '--database-url YOUR_DATABASE',
    ...(from === undefined ? [] : [`--from ${from} --offline`]),
    // It may contain a key.
    ...(forkUrl === undefined ? [] : ['--fork-url YOUR_URL']),
  ]
  const pages = names.map((name) => `  http://127.0.0.1:8545/n/${encodeURIComponent(name)}\n`)
  return `\nKept the branches of failed tests. To open them: npx understudy start ${flags.join(' ')}\n${pages.join('')}`
}
