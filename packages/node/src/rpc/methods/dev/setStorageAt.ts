import { z } from 'zod'
import { Address, Word32 } from '../../codecs/hex.ts'
import { Slot } from '../../codecs/numbers.ts'
import { HexAddress, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const setStorageAt = defineMethod({
  name: 'dev_setStorageAt',
  aliases: ['anvil_setStorageAt', 'hardhat_setStorageAt', 'evm_setAccountStorageAt'],
  aliasResults: { anvil_setStorageAt: true, hardhat_setStorageAt: true },
  summary: 'Sets a storage slot of an account.',
  role: 'admin',
  params: { address: Address, slot: Slot, value: Word32 },
  result: z.object({ address: HexAddress, slot: HexWord }),
  fields: {
    address: 'The contract.',
    value: 'The new value: exactly 32 bytes.',
  },
  errors: ['ACCOUNT_FOLLOWED', 'SLOT_FOLLOWED'],
  example: {
    params: [
      '0x00000000000000000000000000000000000000aa',
      '10',
      '0x0000000000000000000000000000000000000000000000000000000000000001',
    ],
    result: {
      address: '0x00000000000000000000000000000000000000aa',
      slot: '0x000000000000000000000000000000000000000000000000000000000000000a',
    },
  },
  async handler({ state }, { address, slot, value }) {
    await state.setStorageAt(address, slot, value)
    return { address, slot }
  },
})
