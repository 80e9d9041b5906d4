import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { Amount } from '../../codecs/numbers.ts'
import { DecimalString, HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const setERC20Allowance = defineMethod({
  name: 'dev_setERC20Allowance',
  aliases: ['anvil_setERC20Allowance'],
  summary:
    "Sets a token allowance of a spender, in the token's smallest unit. The storage slot is found by probing the token.",
  role: 'admin',
  params: { owner: Address, spender: Address, token: Address, amount: Amount },
  result: z.object({ tokenAddress: HexAddress, owner: HexAddress, spender: HexAddress, allowance: DecimalString }),
  fields: {
    owner: 'The account whose tokens may be spent.',
    spender: 'The account that may spend the tokens.',
    token: 'The ERC-20 contract.',
    amount: "The new allowance, in the token's smallest unit.",
  },
  errors: [
    'ALLOWANCE_SLOT_NOT_FOUND',
    'EXECUTION_REVERTED',
    'EXECUTION_FAILED',
    'EXECUTION_TOO_LONG',
    'ACCOUNT_FOLLOWED',
    'SLOT_FOLLOWED',
  ],
  example: {
    params: [
      '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
      '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      '1000000',
    ],
    result: {
      tokenAddress: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      owner: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      spender: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
      allowance: '1000000',
    },
  },
  async handler({ tokenBalances }, { owner, spender, token, amount }) {
    await tokenBalances.setAllowance(owner, spender, token, amount)
    return { tokenAddress: token, owner, spender, allowance: amount.toString() }
  },
})
