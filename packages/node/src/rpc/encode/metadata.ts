import { keccak } from '../../shared/keccak.ts'
import type { Services } from '../services.ts'

/** Metadata of the network in the format of anvil and Hardhat. */
export function encodeMetadata({ info, history }: Services) {
  const { version, chainId, upstreamChainId, startedAt, dataDirectory } = info()
  const { hash, header } = history.head()
  return {
    clientVersion: `anvil/understudy-v${version}`,
    chainId: Number(chainId),
    // A new value for each run of the network.
    instanceId: keccak(new TextEncoder().encode(`${dataDirectory} ${startedAt}`)),
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
