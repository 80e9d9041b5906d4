import { join } from 'node:path'
import { createEvm } from '@understudy/evm'
import { createNode, type Node } from '../app/createNode.ts'
import type { Config } from '../config/config.ts'
import { options } from '../config/options.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import { createSampleChain } from './createSampleChain.ts'
import { liveSampleContracts } from './deployment.ts'

/** `config` is what it runs with: that of a fork of the sample chain, if the chosen one forks nothing. */
export type OpenNetwork = { node: Node; config: Config; isSample: boolean }

/**
 * Starts the network of a configuration. One that forks nothing, is not offline and has no genesis file forks the sample chain, which starts first.
 * Adds to `running` what has to be stopped, last first; also when it throws.
 */
export async function openNetwork(chosen: Config, logger: Logger, running: Service[]): Promise<OpenNetwork> {
  const isSample = chosen.forkUrls.length === 0 && !chosen.offline && chosen.init === undefined
  const config = isSample ? await startSampleChain(chosen, logger, running) : chosen
  const liveContracts = isSample ? { liveContracts: liveSampleContracts() } : {}
  const node = await createNode(config, { engine: createEvm(), logger, ...liveContracts })
  running.push(node)
  await node.start()
  return { node, config, isSample }
}

/** Unless a directory was chosen, the chain and its fork get their own. */
async function startSampleChain(chosen: Config, logger: Logger, running: Service[]): Promise<Config> {
  const isDefault = chosen.dataDirectory === options.dataDirectory.default
  const dataDirectory = isDefault ? join(chosen.dataDirectory, 'sample') : chosen.dataDirectory
  const chain = await createSampleChain({ dataDirectory, ephemeral: chosen.ephemeral }, { engine: createEvm(), logger })
  await chain.start()
  running.push(chain)
  return { ...chosen, dataDirectory, forkUrls: [chain.url()] }
}
