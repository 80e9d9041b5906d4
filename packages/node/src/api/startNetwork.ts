import { configFromSources } from '../config/config.ts'
import { openNetwork } from '../sample/openNetwork.ts'
import type { Service } from '../shared/lifecycle.ts'
import { createLogger } from '../shared/logger.ts'
import type { NetworkOptions } from './options.ts'

/** A network in this process. */
export type StartedNetwork = {
  /** Where it answers JSON-RPC over HTTP and shows its dashboard. */
  url: string
  /** Where it answers JSON-RPC over WebSocket. */
  wsUrl: string
  /** Resolves with the reason when the network cannot continue. Stop it then. */
  failed: Promise<Error>
  /** Stops the network. It is gone then, unless it was given a data directory or a database. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** What differs from the command: several networks of a process do not compete for a port, and a program prints itself. */
const defaults = { port: 0, 'log-level': 'warn' }

/**
 * Starts a network in this process. It has the options of `understudy start`, but no environment and no file: its port is a
 * free one, it logs warnings only, and without a directory or a database it is ephemeral: it is gone when it is stopped, or
 * with the process. Throws `CONFIG_INVALID`, `UPSTREAM_UNAVAILABLE`, `DATA_DIRECTORY_IN_USE`…
 */
export async function startNetwork(options: NetworkOptions = {}): Promise<StartedNetwork> {
  const chosen = Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), value])
  const isKept = options.dataDir !== undefined || options.databaseUrl !== undefined
  const services: Service[] = []
  const stop = async () => {
    for (let service = services.pop(); service; service = services.pop()) await service.stop()
  }
  try {
    const given = { ...defaults, ephemeral: !isKept, ...Object.fromEntries(chosen) }
    const config = configFromSources({}, {}, { path: 'startNetwork', options: given })
    const { node } = await openNetwork(config, createLogger(config.logLevel), services)
    const url = node.url()
    return { url, wsUrl: url.replace('http', 'ws'), failed: node.failed, stop, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}
