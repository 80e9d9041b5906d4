import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

/** Followed keys have no local state to clear: writes to them are discarded when their block is sealed. */
export const unfollowAccount = defineMethod({
  name: 'dev_unfollowAccount',
  summary: 'Stops following an account. It behaves as untouched and tracks the base until the next write.',
  role: 'admin',
  params: { address: Address },
  result: z.object({ address: HexAddress, removed: z.boolean(), residueCleared: z.number() }),
  fields: {
    address: 'The account.',
  },
  example: {
    params: ['0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'],
    result: { address: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826', removed: true, residueCleared: 0 },
  },
  async handler({ state }, { address }) {
    const ended = await state.unfollow([{ address, slot: undefined }])
    return { address, removed: ended.length > 0, residueCleared: 0 }
  },
})
