import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FaultProxy, postJsonRpc, startAnvil } from '@understudy/testkit'
import { startUnderstudy } from '../startUnderstudy.ts'

/** A fork that runs. */
export type Fork = {
  url: string
  /** Kills it, and starts it again on what it stored. */
  restart(): Promise<void>
  /** Moves to the live chain's newest block, if it does not follow on its own. */
  catchUp(): Promise<void>
  stop(): Promise<void>
}

/** A compared program: its name, and how to start it with empty caches behind a proxy. */
export type Side = { name: string; start(proxy: FaultProxy): Promise<Fork> }

const pollMs = 250

export const understudy: Side = {
  name: 'understudy',
  async start(proxy) {
    const args = ['--fork-url', proxy.url, '--poll-interval', String(pollMs), '--log-level', 'warn']
    let running = await startUnderstudy(args)
    const fork: Fork = {
      url: running.url,
      async restart() {
        await running.stop({ kept: true, signal: 'SIGKILL' })
        running = await startUnderstudy(args, running.directory)
        fork.url = running.url
      },
      async catchUp() {},
      stop: () => running.stop(),
    }
    return fork
  },
}

export const anvil: Side = {
  name: 'anvil',
  async start(proxy) {
    // It stores what it fetched below the home directory, at a fixed block.
    const home = mkdtempSync(join(tmpdir(), 'anvil-bench-'))
    const at = await postJsonRpc<string>(proxy.url, 'eth_blockNumber', [])
    const open = () =>
      inHome(home, () => startAnvil({ args: ['--fork-url', proxy.url, '--fork-block-number', String(Number(at))] }))
    let running = await open()
    const fork: Fork = {
      url: running.url,
      async restart() {
        await running.stop()
        running = await open()
        fork.url = running.url
      },
      async catchUp() {
        await running.rpc('anvil_reset', [{ forking: { jsonRpcUrl: proxy.url } }])
      },
      async stop() {
        await running.stop()
        rmSync(home, { recursive: true, force: true })
      },
    }
    return fork
  },
}

async function inHome<T>(home: string, task: () => Promise<T>): Promise<T> {
  const before = process.env.HOME
  process.env.HOME = home
  try {
    return await task()
  } finally {
    process.env.HOME = before
  }
}
