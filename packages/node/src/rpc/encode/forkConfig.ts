import type { ForkConfig } from '../../chain/history/forkConfig.ts'
import { quantity } from '../../shared/hex.ts'

/** The rules of a fork as `eth_config` returns them; a fork without blobs has a blob schedule of zero. */
export function encodeForkConfig({ blobs, activationTime, ...config }: ForkConfig, chainId: bigint) {
  return {
    activationTime: Number(activationTime),
    blobSchedule: {
      baseFeeUpdateFraction: Number(blobs?.updateFraction ?? 0n),
      max: Number(blobs?.max ?? 0n),
      target: Number(blobs?.target ?? 0n),
    },
    chainId: quantity(chainId),
    ...config,
  }
}
