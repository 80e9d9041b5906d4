import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Engine } from '@understudy/evm'
import { createNode, type Node } from '../app/createNode.ts'
import { createConfig } from '../config/config.ts'
import { bytesFromHex } from '../shared/hex.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import { deployer, deploymentSteps, predeployed, sampleMnemonic, trader } from './deployment.ts'
import { trafficOf } from './traffic.ts'

export const sampleChainId = 1337n
/** Seconds between its blocks. */
const blockTime = 2
/** Blocks with trades that it has before it is forked, so that a new fork has something to show. */
const firstTrades = 8

/** A built-in chain to fork: real contracts with continuous traffic. */
export type SampleChain = Service & {
  /** Known after `start`. Contains a key that is generated at each start. */
  url(): string
}

/**
 * Opens the sample chain, which is stored in a folder of the network's data directory, so that its fork survives a
 * restart; it is ephemeral if its fork is.
 */
export async function createSampleChain(
  { dataDirectory, ephemeral = false }: { dataDirectory: string; ephemeral?: boolean },
  { engine, logger }: { engine: Engine; logger: Logger },
): Promise<SampleChain> {
  // Its port is for the network that forks it: other programs and web pages do not have the key.
  const key = randomBytes(24).toString('hex')
  const config = createConfig({
    apiKeys: [`${key}:read`],
    ...(ephemeral ? { ephemeral } : { dataDirectory: join(dataDirectory, 'sample-chain') }),
    port: 0,
    chainId: sampleChainId,
    mnemonic: sampleMnemonic,
    accounts: 2,
    balance: '1000000000',
    mine: 'manual',
    allowSameTimestamp: true,
    workers: 0,
  })
  const node = await createNode(config, { engine, logger: logger.child({ chain: 'sample' }) })
  const { chainEvents, mining } = node.services
  let unsubscribe = () => {}

  return {
    url: () => `${node.url()}/rpc/${key}`,
    async start() {
      await node.start()
      await setUp(node)
      unsubscribe = chainEvents.on('block', ({ block }) => {
        act(node, block.header.number + 1n, block.header.timestamp).catch((error) =>
          logger.warn({ err: error }, 'The traffic of a block of the sample chain failed'),
        )
      })
      await mining.setMode({ type: 'interval', intervalMs: blockTime * 1000 })
    },
    async stop() {
      unsubscribe()
      await node.stop()
    },
  }
}

/** Sends the missing set-up transactions and first trades; an earlier set-up may have been interrupted. */
async function setUp(node: Node): Promise<void> {
  const { history, mining, submission, reads, state } = node.services
  for (const { address, code } of predeployed)
    if ((await reads.loadCode(address, 'latest')).length === 0) await state.setCode(address, bytesFromHex(code))
  const done = new Map<string, bigint>()
  for (const sender of [deployer, trader]) done.set(sender, await submission.pendingNonce(sender))
  for (const { from, to, data } of deploymentSteps) {
    const left = done.get(from) ?? 0n
    done.set(from, left - 1n)
    if (left > 0n) continue
    await submission.send({ from, to, data: bytesFromHex(data) })
    await mining.mine(1n)
  }
  const tradedUntil = BigInt(deploymentSteps.length + firstTrades)
  for (let { header } = history.head(); header.number < tradedUntil; { header } = history.head()) {
    await act(node, header.number + 1n, header.timestamp)
    await mining.mine(1n)
  }
}

async function act({ services: { submission } }: Node, block: bigint, timestamp: bigint): Promise<void> {
  for (const { from, to, data } of trafficOf(block, timestamp))
    await submission.send({ from, to, data: bytesFromHex(data) })
}
