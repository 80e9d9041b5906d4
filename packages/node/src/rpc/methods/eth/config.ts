import { z } from 'zod'
import type { ForkConfig as ForkRules } from '../../../chain/history/forkConfig.ts'
import { quantity } from '../../../shared/hex.ts'
import { HexAddress, HexBytes, HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

const ForkConfig = z.object({
  activationTime: z.number(),
  blobSchedule: z.object({ baseFeeUpdateFraction: z.number(), max: z.number(), target: z.number() }),
  chainId: HexQuantity,
  forkId: HexBytes,
  precompiles: z.record(z.string(), HexAddress),
  systemContracts: z.record(z.string(), HexAddress),
})

export const config = defineMethod({
  name: 'eth_config',
  summary:
    'Returns the current fork rules and those of scheduled forks (EIP-7910). Lists only the system contracts that this network calls.',
  role: 'read',
  params: {},
  result: z.object({ current: ForkConfig, next: ForkConfig.nullable(), last: ForkConfig.nullable() }),
  example: {
    params: [],
    result: {
      current: {
        activationTime: 0,
        blobSchedule: { baseFeeUpdateFraction: 3_338_477, max: 6, target: 3 },
        chainId: '0x7a69',
        forkId: '0x3edd5b10',
        precompiles: { ECREC: '0x0000000000000000000000000000000000000001' },
        systemContracts: { BEACON_ROOTS_ADDRESS: '0x000f3df6d732807ef1319fb7b8bb8522d0beac02' },
      },
      next: null,
      last: null,
    },
  },
  async handler({ history, forks }) {
    const { current, next, last } = await forks.load()
    const encode = (config: typeof current) => encodeForkConfig(config, history.chainId)
    return { current: encode(current), next: next ? encode(next) : null, last: last ? encode(last) : null }
  },
})

/** The rules of a fork as `eth_config` returns them; a fork without blobs has a blob schedule of zero. */
function encodeForkConfig({ blobs, activationTime, ...config }: ForkRules, chainId: bigint) {
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
