import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { SlotList } from '../../codecs/numbers.ts'
import { HexAddress, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const followSlots = defineMethod({
  name: 'dev_followSlots',
  summary: "Follows storage slots of an account: they always read the live chain's head. Clears their local values.",
  role: 'admin',
  params: { address: Address, slots: SlotList },
  result: z.object({ address: HexAddress, followedSlots: z.array(HexWord), residueCleared: z.number() }),
  fields: {
    address: 'The contract.',
    slots: 'At most 10 000 storage slots, in decimal digits or 0x-hex.',
  },
  errors: ['ACCOUNT_NOT_ON_UPSTREAM', 'NOT_A_FORK'],
  example: {
    params: ['0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826', ['8', 9]],
    result: {
      address: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
      followedSlots: [
        '0x0000000000000000000000000000000000000000000000000000000000000008',
        '0x0000000000000000000000000000000000000000000000000000000000000009',
      ],
      residueCleared: 1,
    },
  },
  async handler({ state }, { address, slots }) {
    const residueCleared = await state.follow(slots.map((slot) => ({ address, slot })))
    return { address, followedSlots: slots, residueCleared }
  },
})
