import { Address, Word32 } from '../../codecs/hex.ts'
import { Slot } from '../../codecs/numbers.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const setStorageOf = defineMethod({
  name: 'tenderly_setStorageAt',
  summary: 'Sets a storage slot of an account. Returns the hash of the latest block.',
  role: 'admin',
  params: { address: Address, slot: Slot, value: Word32 },
  result: HexWord,
  fields: {
    address: 'The contract.',
    value: 'The new value: exactly 32 bytes.',
  },
  errors: ['ACCOUNT_FOLLOWED', 'SLOT_FOLLOWED'],
  example: {
    params: [
      '0x00000000000000000000000000000000000000aa',
      '0x000000000000000000000000000000000000000000000000000000000000000a',
      '0x0000000000000000000000000000000000000000000000000000000000000001',
    ],
    result: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  },
  async handler({ state, history }, { address, slot, value }) {
    await state.setStorageAt(address, slot, value)
    return history.head().hash
  },
})
