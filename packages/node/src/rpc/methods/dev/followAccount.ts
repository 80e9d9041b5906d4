import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const followAccount = defineMethod({
  name: 'dev_followAccount',
  summary:
    "Follows an account: its balance, nonce, code and every slot always read the live chain's head. Clears its local state.",
  role: 'admin',
  params: { address: Address },
  result: z.object({ address: HexAddress, followed: z.literal(true), residueCleared: z.number() }),
  fields: {
    address: 'The account.',
  },
  errors: ['ACCOUNT_NOT_ON_UPSTREAM', 'NOT_A_FORK'],
  example: {
    params: ['0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'],
    result: { address: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826', followed: true, residueCleared: 2 },
  },
  async handler({ state }, { address }) {
    const residueCleared = await state.follow([{ address, slot: undefined }])
    return { address, followed: true as const, residueCleared }
  },
})
