import { z } from 'zod'
import { BlockCount, Seconds } from '../../codecs/numbers.ts'
import { withDefault } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'

/** `anvil_mine` has the interval before the first block, too. */
export const mineBlocksApart = defineMethod({
  name: 'hardhat_mine',
  summary:
    'Seals blocks. The first has the time of the clock, and each of the others comes so many seconds after the one before, by default one.',
  role: 'admin',
  params: { blocks: withDefault(BlockCount, 1n), interval: withDefault(Seconds, 1n) },
  result: z.null(),
  errors: ['MINING_INTERRUPTED'],
  example: { params: ['0x3', '0xc'], result: null },
  async handler({ mining }, { blocks, interval }) {
    await mining.mine(blocks, interval === 0n ? {} : { others: { afterParent: interval } })
    return null
  },
})
