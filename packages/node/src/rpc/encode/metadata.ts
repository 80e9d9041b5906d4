import type { Services } from '../services.ts'

/** Metadata of the network in the format of anvil and Hardhat. */
export async function encodeMetadata({ info, loadInstanceId, history }: Services) {
  const { version, chainId, upstreamChainId } = info()
  const instanceId = await loadInstanceId()
  const { hash, header } = history.head()
  return {
    clientVersion: `anvil/understudy-v${version}`,
    chainId: Number(chainId),
    instanceId,
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
