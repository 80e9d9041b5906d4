import { z } from 'zod'
import { BlockCount, Seconds } from '../../codecs/numbers.ts'
import { withDefault } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'

export const mineBlocks = defineMethod({
  name: 'anvil_mine',
  aliases: ['hardhat_mine', 'evm_increaseBlocks'],
  summary: 'Seals blocks, with a given number of seconds between them.',
  role: 'admin',
  params: { blocks: withDefault(BlockCount, 1n), interval: withDefault(Seconds, 0n) },
  result: z.null(),
  example: { params: ['0x3', '0xc'], result: null },
  async handler({ mining, blockSettings }, { blocks, interval }) {
    await mining.mine(blocks, interval === 0n ? undefined : interval)
    // Time goes on from the last block.
    if (interval > 0n) await blockSettings.increaseTime(interval)
    return null
  },
})
