import type { NetworkOptions, StartedNetwork } from '@understudy/node'

/** Defines a network for `Instance.define` of prool, which gives each test of a pool its own: `Instance.define(networkInstance)`. */
export function networkInstance(options: NetworkOptions = {}) {
  let network: StartedNetwork | undefined
  return {
    name: 'understudy',
    host: '127.0.0.1',
    port: Number(options.port ?? 8545),
    async start({ port }: { port?: number | undefined } = {}): Promise<void> {
      const { startNetwork } = await import('@understudy/node')
      network = await startNetwork({ ...options, ...(port !== undefined && { port }) })
    },
    async stop(): Promise<void> {
      await network?.stop()
      network = undefined
    },
  }
}
