import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { Amount } from '../../codecs/numbers.ts'
import { DecimalString, HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { tokenBalanceErrors } from '../../errorGroups.ts'

export const addERC20Balance = defineMethod({
  name: 'dev_addERC20Balance',
  summary:
    "Adds to the token balance of a holder, in the token's smallest unit. The storage slot is found by probing the token.",
  role: 'admin',
  params: { holder: Address, token: Address, amount: Amount },
  result: z.object({ tokenAddress: HexAddress, address: HexAddress, balance: DecimalString }),
  fields: {
    holder: 'The account that holds the tokens.',
    token: 'The ERC-20 contract.',
    amount: "The amount to add, in the token's smallest unit.",
  },
  errors: [...tokenBalanceErrors, 'ACCOUNT_FOLLOWED', 'SLOT_FOLLOWED'],
  example: {
    params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', '1000000'],
    result: {
      tokenAddress: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      balance: '2000000',
    },
  },
  async handler({ tokenBalances }, { holder, token, amount }) {
    const balances = await tokenBalances.addBalances([holder], token, amount)
    return { tokenAddress: token, address: holder, balance: String(balances.get(holder)) }
  },
})
