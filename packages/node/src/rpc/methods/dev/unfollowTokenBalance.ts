import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { HexAddress, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const unfollowTokenBalance = defineMethod({
  name: 'dev_unfollowTokenBalance',
  summary: "Stops following a holder's token balance.",
  role: 'admin',
  params: { token: Address, holder: Address },
  result: z.object({ token: HexAddress, holder: HexAddress, slot: HexWord, removed: z.number() }),
  example: {
    params: ['0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'],
    result: {
      token: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      holder: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
      slot: '0x57d18af793d7300c4ba46d192ec7aa095070dde6c52c687c6d0d92fb8532b305',
      removed: 1,
    },
  },
  async handler({ state, tokenBalances }, { token, holder }) {
    const { contract, slot } = await tokenBalances.findSlot(holder, token)
    const ended = await state.unfollow([{ address: contract, slot }])
    return { token, holder, slot, removed: ended.length }
  },
})
