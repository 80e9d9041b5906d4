import { z } from 'zod'
import type { SuggestedFees } from '../../../chain/submission/suggestedFees.ts'
import { quantity } from '../../../shared/hex.ts'
import { HexQuantity } from '../../codecs/wire.ts'

const Offer = z.object({ maxPriorityFeePerGas: HexQuantity, maxFeePerGas: HexQuantity, waitTime: z.number() })

export const TenderlyGasFees = z
  .object({
    currentBlockNumber: HexQuantity,
    baseFeePerGas: HexQuantity,
    price: z.object({ low: Offer, medium: Offer, high: Offer }),
  })
  .meta({ title: 'TenderlyGasFees' })

/** Of a chain whose time between blocks is not known. */
const defaultBlockTimeMs = 12_000

export function encodeGasFees(
  { head, baseFee, tips: [low, medium, high] }: SuggestedFees,
  blockTimeMs = defaultBlockTimeMs,
): z.output<typeof TenderlyGasFees> {
  const offer = (tip: bigint, blocks: number) => ({
    maxPriorityFeePerGas: quantity(tip),
    maxFeePerGas: quantity(2n * baseFee + tip),
    waitTime: blocks * blockTimeMs,
  })
  return {
    currentBlockNumber: quantity(head),
    baseFeePerGas: quantity(baseFee),
    price: { low: offer(low, 3), medium: offer(medium, 2), high: offer(high, 1) },
  }
}
