import { z } from 'zod'
import { wordFromBigint } from '../../../shared/hex.ts'
import { StorageVariable } from '../../codecs/contracts/storageVariable.ts'
import { Address } from '../../codecs/hex.ts'
import { HexAddress, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const setStorageVariable = defineMethod({
  name: 'dev_setStorageVariable',
  summary:
    'Sets one variable of a packed storage slot and keeps the other bytes. `offset` and `size` are in bytes, counted from the low end, as in a storageLayout. Returns the whole slot.',
  role: 'admin',
  params: { address: Address, variable: StorageVariable },
  result: z.object({ address: HexAddress, slot: HexWord, value: HexWord }),
  fields: {
    address: 'The contract.',
    offset: 'Bytes between the lowest byte of the slot and the variable, from 0 to 31.',
    size: 'Bytes that the variable takes, from 1 to 32.',
    value: 'The new value: a number in decimal digits, which may be negative, or 0x-hex.',
  },
  errors: ['ACCOUNT_FOLLOWED', 'SLOT_FOLLOWED'],
  example: {
    params: ['0x00000000000000000000000000000000000000aa', { slot: '3', offset: 14, size: 14, value: '1000' }],
    result: {
      address: '0x00000000000000000000000000000000000000aa',
      slot: '0x0000000000000000000000000000000000000000000000000000000000000003',
      value: '0x0000000000000000000000000000000003e80000000000000000000000000000',
    },
  },
  async handler({ state }, { address, variable }) {
    const word = await state.setStorageVariable(address, variable)
    return { address, slot: variable.slot, value: wordFromBigint(word) }
  },
})
