import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { HexAddress, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

/** `slot` is the one that was followed last, and `null` if none ever was. */
export const unfollowTokenBalance = defineMethod({
  name: 'dev_unfollowTokenBalance',
  summary:
    "Stops following the slot that was followed for a holder's token balance, without asking the token: it may be paused or have other code by now.",
  role: 'admin',
  params: { token: Address, holder: Address },
  result: z.object({ token: HexAddress, holder: HexAddress, slot: HexWord.nullable(), removed: z.number() }),
  fields: {
    token: 'The ERC-20 contract.',
    holder: 'The account that holds the tokens.',
  },
  example: {
    params: ['0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'],
    result: {
      token: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      holder: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
      slot: '0x57d18af793d7300c4ba46d192ec7aa095070dde6c52c687c6d0d92fb8532b305',
      removed: 1,
    },
  },
  async handler({ state }, { token, holder }) {
    const { slot, removed } = await state.unfollowBalance({ token, holder })
    return { token, holder, slot: slot ?? null, removed }
  },
})
