import { BlockCount } from '../../codecs/numbers.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const increaseBlocks = defineMethod({
  name: 'evm_increaseBlocks',
  summary: 'Seals blocks, as anvil_mine does without an interval. Returns the hash of the latest block.',
  role: 'admin',
  params: { blocks: BlockCount },
  result: HexWord,
  errors: ['MINING_INTERRUPTED'],
  example: { params: ['0x14'], result: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b' },
  async handler({ mining, history }, { blocks }) {
    await mining.mine(blocks)
    return history.head().hash
  },
})
