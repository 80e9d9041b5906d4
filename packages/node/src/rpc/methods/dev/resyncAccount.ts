import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const resyncAccount = defineMethod({
  name: 'dev_resyncAccount',
  summary:
    'Clears all local state of an account (balance, nonce, code, written slots), so that it reads upstream again.',
  role: 'admin',
  params: { address: Address },
  result: z.object({ address: HexAddress, slotsCleared: z.number() }),
  fields: {
    address: 'The account.',
  },
  errors: ['ACCOUNT_NOT_ON_UPSTREAM', 'NOT_A_FORK'],
  example: {
    params: ['0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'],
    result: { address: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826', slotsCleared: 3 },
  },
  async handler({ state }, { address }) {
    const { slots } = await state.resync(address)
    return { address, slotsCleared: slots }
  },
})
