import { z } from 'zod'
import { quantity } from '../../../shared/hex.ts'
import { BlockNumberOrTag } from '../../codecs/blockTag.ts'
import { Quantity64 } from '../../codecs/numbers.ts'
import { optional } from '../../codecs/optional.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { blockErrors } from '../../errorGroups.ts'

/** Maximum number of blocks, as in geth. */
const maxBlocks = 1024n

const Percentiles = z
  .array(z.number().min(0, { error: 'is below 0' }).max(100, { error: 'is above 100' }))
  .max(100, { error: 'has more than 100 percentiles' })
  .refine((list) => list.every((value, index) => index === 0 || value >= (list[index - 1] ?? 0)), {
    error: 'is not in ascending order',
  })

export const feeHistory = defineMethod({
  name: 'eth_feeHistory',
  summary: 'Returns base fees, gas usage ratios and paid tips of a range of blocks.',
  role: 'read',
  params: { blockCount: Quantity64, newestBlock: BlockNumberOrTag, rewardPercentiles: optional(Percentiles) },
  result: z.object({
    oldestBlock: HexQuantity,
    baseFeePerGas: z.array(HexQuantity),
    gasUsedRatio: z.array(z.number()),
    baseFeePerBlobGas: z.array(HexQuantity),
    blobGasUsedRatio: z.array(z.number()),
    reward: z.array(z.array(HexQuantity)).optional(),
  }),
  errors: blockErrors,
  example: {
    params: ['0x1', 'latest', [50]],
    result: {
      oldestBlock: '0x1406f40',
      baseFeePerGas: ['0x3b9aca00', '0x342770c0'],
      gasUsedRatio: [0.1],
      baseFeePerBlobGas: ['0x1', '0x1'],
      blobGasUsedRatio: [0],
      reward: [['0x3b9aca00']],
    },
  },
  async handler({ history }, { blockCount, newestBlock, rewardPercentiles }) {
    const count = blockCount < maxBlocks ? blockCount : maxBlocks
    const percentiles = rewardPercentiles?.length ? rewardPercentiles : undefined
    const { reward, ...fees } = await history.loadFeeHistory(count, newestBlock, percentiles)
    return {
      oldestBlock: quantity(fees.oldestBlock),
      baseFeePerGas: fees.baseFeePerGas.map(quantity),
      gasUsedRatio: fees.gasUsedRatio,
      baseFeePerBlobGas: fees.baseFeePerBlobGas.map(quantity),
      blobGasUsedRatio: fees.blobGasUsedRatio,
      ...(reward && { reward: reward.map((tips) => tips.map(quantity)) }),
    }
  },
})
