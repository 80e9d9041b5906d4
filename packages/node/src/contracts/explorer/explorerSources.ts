import type { Clock } from '../../shared/clock.ts'
import type { AbiSource } from './abiSource.ts'
import { createBlockscout } from './blockscout.ts'
import { createEtherscan } from './etherscan.ts'
import { createJsonClient } from './jsonClient.ts'
import { createPacedSource } from './pacedSource.ts'
import { createSourcify } from './sourcify.ts'

export type ExplorerOptions = {
  /** A URL compatible with Etherscan's v2; Etherscan's own if there is only a key. */
  explorerUrl: string | undefined
  explorerKey: string | undefined
  sourcifyUrl: string | undefined
  blockscoutUrl: string | undefined
  /** Whether public services are queried if no URL is configured. */
  publicExplorers: boolean
}

const etherscanUrl = 'https://api.etherscan.io/v2/api'
const sourcifyUrl = 'https://sourcify.dev/server'
/** Blockscout's public instances, by chain id. */
const blockscoutUrls: Record<string, string> = {
  1: 'https://eth.blockscout.com',
  10: 'https://explorer.optimism.io',
  100: 'https://gnosis.blockscout.com',
  137: 'https://polygon.blockscout.com',
  324: 'https://zksync.blockscout.com',
  8453: 'https://base.blockscout.com',
  42161: 'https://arbitrum.blockscout.com',
  42220: 'https://celo.blockscout.com',
  84532: 'https://base-sepolia.blockscout.com',
  534352: 'https://scroll.blockscout.com',
  11155111: 'https://eth-sepolia.blockscout.com',
}
/** Development chains: no public service has them. */
const localChains = [1337n, 31_337n]

/** Requests per second to each source: Etherscan allows three without a paid plan. */
const pace = { intervalMs: 350, queueLimit: 200 }
const timeoutMs = 10_000

/** The configured sources, in query order. */
export function createExplorerSources(
  options: ExplorerOptions,
  { chainId, clock }: { chainId: bigint | undefined; clock: Clock },
): { sources: AbiSource[]; close(): Promise<void> } {
  const client = createJsonClient({ timeoutMs })
  const sources: AbiSource[] = []
  if (chainId !== undefined) {
    const byDefault = (url: string | undefined) =>
      options.publicExplorers && !localChains.includes(chainId) ? url : undefined
    const etherscan = options.explorerUrl ?? byDefault(options.explorerKey === undefined ? undefined : etherscanUrl)
    const sourcify = options.sourcifyUrl ?? byDefault(sourcifyUrl)
    const blockscout = options.blockscoutUrl ?? byDefault(blockscoutUrls[chainId.toString()])
    if (etherscan !== undefined)
      sources.push(createEtherscan({ url: etherscan, key: options.explorerKey, chainId }, { client }))
    if (sourcify !== undefined) sources.push(createSourcify({ url: sourcify, chainId }, { client }))
    if (blockscout !== undefined) sources.push(createBlockscout({ url: blockscout }, { client }))
  }
  return { sources: sources.map((source) => createPacedSource(source, pace, { clock })), close: client.close }
}
