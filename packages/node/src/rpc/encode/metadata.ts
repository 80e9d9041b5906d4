import { keccak } from '../../shared/keccak.ts'
import type { NetworkInfo, Services } from '../services.ts'

/** Names the network: a new value for each run. */
export const instanceIdOf = ({ dataDirectory, startedAt }: Pick<NetworkInfo, 'dataDirectory' | 'startedAt'>) =>
  keccak(new TextEncoder().encode(`${dataDirectory} ${startedAt}`))

/** Metadata of the network in the format of anvil and Hardhat. */
export function encodeMetadata({ info, history }: Services) {
  const { version, chainId, upstreamChainId, ...run } = info()
  const { hash, header } = history.head()
  return {
    clientVersion: `anvil/understudy-v${version}`,
    chainId: Number(chainId),
    instanceId: instanceIdOf(run),
    latestBlockNumber: Number(header.number),
    latestBlockHash: hash,
    ...(upstreamChainId !== undefined && {
      forkedNetwork: {
        chainId: Number(upstreamChainId),
        forkBlockNumber: Number(history.origin.number),
        forkBlockHash: history.origin.hash,
      },
    }),
  }
}
