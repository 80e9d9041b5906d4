import { Address, AddressOrList } from '../../codecs/hex.ts'
import { Amount } from '../../codecs/numbers.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { tokenBalanceErrors } from '../../errorGroups.ts'

export const addErc20BalanceOfAll = defineMethod({
  name: 'tenderly_addErc20Balance',
  summary:
    "Adds to the token balances of one or more holders, in the token's smallest unit. Returns the hash of the latest block.",
  role: 'admin',
  params: { token: Address, holders: AddressOrList, amount: Amount },
  result: HexWord,
  fields: {
    token: 'The token.',
    holders: 'The holders: one, or a list.',
    amount: "What is added, in the token's smallest unit.",
  },
  errors: [...tokenBalanceErrors, 'ACCOUNT_FOLLOWED', 'SLOT_FOLLOWED'],
  example: {
    params: ['0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0xf4240'],
    result: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  },
  async handler({ tokenBalances, history }, { token, holders, amount }) {
    await tokenBalances.addBalances(holders, token, amount)
    return history.head().hash
  },
})
