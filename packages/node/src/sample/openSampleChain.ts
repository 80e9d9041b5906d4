import { join } from 'node:path'
import { type Address, createEvm } from '@understudy/evm'
import type { Config } from '../config/config.ts'
import { options } from '../config/options.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import { createSampleChain } from './createSampleChain.ts'
import { sampleContracts } from './deployment.ts'

/** A running sample chain, its contracts, and the configuration of a network that forks it. */
export type OpenSampleChain = { config: Config; chain: Service; contracts: readonly Address[] }

/** Starts the sample chain if a configuration forks nothing. Unless a directory was chosen, both get their own. */
export async function openSampleChain(chosen: Config, logger: Logger): Promise<OpenSampleChain> {
  const isDefault = chosen.dataDirectory === options.dataDirectory.default
  const dataDirectory = isDefault ? join(chosen.dataDirectory, 'sample') : chosen.dataDirectory
  const chain = await createSampleChain({ dataDirectory }, { engine: createEvm(), logger })
  await chain.start()
  return {
    config: { ...chosen, dataDirectory, forkUrls: [chain.url()] },
    chain,
    contracts: Object.values(sampleContracts),
  }
}
