import { keccak } from '../../shared/keccak.ts'
import type { Services } from '../services.ts'

/** What tools of anvil and Hardhat ask to know a network. */
export function encodeMetadata({ info, history }: Services) {
  const { version, chainId, upstreamChainId, startedAt, dataDirectory } = info()
  const { hash, header } = history.head()
  return {
    clientVersion: `anvil/understudy-v${version}`,
    chainId: Number(chainId),
    // One for each run of a network.
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
