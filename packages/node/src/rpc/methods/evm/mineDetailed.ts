import { z } from 'zod'
import { optional } from '../../codecs/optional.ts'
import { BlockObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeBlock } from '../../encode/block.ts'
import { exampleBlock } from '../../examples.ts'
import { MineOptions, mineWith } from './mine.ts'

export const mineDetailed = defineMethod({
  name: 'evm_mine_detailed',
  aliases: ['anvil_mine_detailed'],
  summary: 'Like evm_mine, but returns the blocks with their transactions.',
  role: 'admin',
  params: { options: optional(MineOptions) },
  result: z.array(BlockObject),
  errors: ['MINING_INTERRUPTED'],
  example: { params: [], result: [exampleBlock] },
  async handler(services, { options }) {
    const { history } = services
    const before = history.head().header.number
    await mineWith(services, options)
    const mined: ReturnType<typeof encodeBlock>[] = []
    for (let number = before + 1n; number <= history.head().header.number; number++) {
      const block = await history.loadBlock({ number })
      if (block?.origin === 'local') mined.push(encodeBlock(block.value, true))
    }
    return mined
  },
})
