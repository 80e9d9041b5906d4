import { z } from 'zod'
import { BlockCount, Seconds } from '../../codecs/numbers.ts'
import { optional } from '../../codecs/optional.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import type { Services } from '../../services.ts'

/** A timestamp, as in Hardhat, or an object, as in ganache. */
export const MineOptions = z
  .unknown()
  .transform((input) => (typeof input === 'object' && input !== null ? input : { timestamp: input }))
  .pipe(z.strictObject({ blocks: optional(BlockCount), timestamp: optional(Seconds) }))
  .meta({
    title: 'MineOptions',
    description: 'the time of the block in seconds, or an object with any of blocks and timestamp',
  })

export async function mineWith(
  { mining }: Pick<Services, 'mining'>,
  { blocks = 1n, timestamp }: Partial<z.output<typeof MineOptions>> = {},
): Promise<void> {
  await mining.mine(blocks, { first: timestamp === undefined ? undefined : { at: timestamp } })
}

export const mine = defineMethod({
  name: 'evm_mine',
  summary: 'Seals one or more blocks, the first optionally at a given time. Returns 0x0.',
  role: 'admin',
  params: { options: optional(MineOptions) },
  result: HexQuantity,
  errors: ['MINING_INTERRUPTED'],
  example: { params: [{ blocks: 2, timestamp: 1900000000 }], result: '0x0' },
  async handler(services, { options }) {
    await mineWith(services, options)
    return '0x0' as const
  },
})
