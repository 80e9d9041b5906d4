import type { NetworkOptions } from '@understudy/node'
import { connectNetwork, type Network } from './network.ts'

/** A network in this process. */
export type OwnNetwork = Network & {
  /** Resolves with the reason when the network cannot continue. */
  failed: Promise<Error>
  /** Stops the network with its branches, and deletes them unless it has a `dataDir` or a `databaseUrl`. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a network in this process, with the options of `understudy start` in camel case: `forkUrl`, or `from` and `offline`
 * for a recording. Its port is a free one by default. Throws what `startNetwork` of `@understudy/node` throws.
 */
export async function createNetwork(options: NetworkOptions = {}): Promise<OwnNetwork> {
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
