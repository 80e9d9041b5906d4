import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { SlotList } from '../../codecs/numbers.ts'
import { HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const unfollowSlots = defineMethod({
  name: 'dev_unfollowSlots',
  summary: 'Stops following storage slots of an account. They track the base until the next write.',
  role: 'admin',
  params: { address: Address, slots: SlotList },
  result: z.object({ address: HexAddress, removed: z.number(), residueCleared: z.number() }),
  fields: {
    address: 'The contract.',
    slots: 'At most 10 000 storage slots, in decimal digits or 0x-hex.',
  },
  example: {
    params: ['0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826', ['8', 9]],
    result: { address: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826', removed: 2, residueCleared: 0 },
  },
  async handler({ state }, { address, slots }) {
    const ended = await state.unfollow(slots.map((slot) => ({ address, slot })))
    return { address, removed: ended.length, residueCleared: 0 }
  },
})
