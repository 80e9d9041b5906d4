import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { HexAddress, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { tokenBalanceErrors } from '../../errorGroups.ts'

export const followTokenBalance = defineMethod({
  name: 'dev_followTokenBalance',
  summary:
    "Follows a holder's token balance: it always reads the live chain's head. The storage slot is found by probing the token.",
  role: 'admin',
  params: { token: Address, holder: Address },
  result: z.object({ token: HexAddress, holder: HexAddress, slot: HexWord, residueCleared: z.number() }),
  fields: {
    token: 'The ERC-20 contract.',
    holder: 'The account that holds the tokens.',
  },
  errors: ['ACCOUNT_NOT_ON_UPSTREAM', 'NOT_A_FORK', ...tokenBalanceErrors],
  example: {
    params: ['0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'],
    result: {
      token: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      holder: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
      slot: '0x57d18af793d7300c4ba46d192ec7aa095070dde6c52c687c6d0d92fb8532b305',
      residueCleared: 0,
    },
  },
  async handler({ state, tokenBalances }, { token, holder }) {
    const { contract, slot } = await tokenBalances.findSlot(holder, token)
    const residueCleared = await state.followBalance({ token, holder, address: contract, slot })
    return { token, holder, slot, residueCleared }
  },
})
