import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { Amount } from '../../codecs/numbers.ts'
import { DecimalString, HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { tokenBalanceErrors } from '../../errorGroups.ts'

export const setERC20Balance = defineMethod({
  name: 'dev_setERC20Balance',
  aliases: ['anvil_dealERC20', 'anvil_setERC20Balance', 'hardhat_dealERC20'],
  summary:
    "Sets the token balance of a holder, in the token's smallest unit. The storage slot is found by probing the token.",
  role: 'admin',
  params: { holder: Address, token: Address, amount: Amount },
  result: z.object({ tokenAddress: HexAddress, address: HexAddress, balance: DecimalString }),
  fields: {
    holder: 'The account that holds the tokens.',
    token: 'The ERC-20 contract.',
    amount: "The new balance, in the token's smallest unit.",
  },
  errors: [...tokenBalanceErrors, 'ACCOUNT_FOLLOWED', 'SLOT_FOLLOWED'],
  example: {
    params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', '1000000'],
    result: {
      tokenAddress: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      balance: '1000000',
    },
  },
  async handler({ tokenBalances }, { holder, token, amount }) {
    await tokenBalances.setBalances([holder], token, amount)
    return { tokenAddress: token, address: holder, balance: amount.toString() }
  },
})
