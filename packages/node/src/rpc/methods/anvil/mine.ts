import { z } from 'zod'
import { BlockCount, Seconds } from '../../codecs/numbers.ts'
import { withDefault } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'

export const mineBlocks = defineMethod({
  name: 'anvil_mine',
  aliases: ['tenderly_mine'],
  summary:
    'Seals blocks. With an interval, moves the clock forward by so many seconds before each of them. The block after the last has the time of the clock. Many blocks are sealed in turns with other requests, and the head shows how many there are; closing the connection ends it, and what is sealed stays.',
  role: 'admin',
  params: { blocks: withDefault(BlockCount, 1n), interval: withDefault(Seconds, 0n) },
  result: z.null(),
  errors: ['MINING_INTERRUPTED'],
  example: { params: ['0x3', '0xc'], result: null },
  async handler({ mining }, { blocks, interval }) {
    await mining.mine(blocks, interval === 0n ? {} : { first: { later: interval }, others: { afterParent: interval } })
    return null
  },
})
