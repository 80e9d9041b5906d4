import type { NetworkOptions } from '@understudy/node'
import { connectNetwork, type Network } from './network.ts'

/** A network in this process. */
export type StartedNetwork = Network & {
  /** Resolves with the reason when the network cannot continue. */
  failed: Promise<Error>
  /** Stops the network with its branches. They are gone then, unless it has a `dataDir` or a `databaseUrl`. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a network in this process, with the options of `understudy start` in camel case: `forkUrl`, or `from` and `offline`
 * for a recording. Its port is a free one by default, and it is `ephemeral` unless it has a `dataDir` or a `databaseUrl`. Throws what `startNetwork` of `@understudy/node` throws.
 */
export async function createNetwork(options: NetworkOptions = {}): Promise<StartedNetwork> {
  // Loaded only here: workers that connect to a network need no server.
  const { startNetwork } = await import('@understudy/node')
  const { url, failed, stop } = await startNetwork(options)
  try {
    return { ...(await connectNetwork(url)), failed, stop, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}
