import { Address, AddressOrList } from '../../codecs/hex.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { tokenBalanceErrors } from '../../errorGroups.ts'

export const setMaxErc20BalanceOfAll = defineMethod({
  name: 'tenderly_setMaxErc20Balance',
  summary:
    'Sets the token balances of one or more holders to the largest value that the token can store. Returns the hash of the latest block.',
  role: 'admin',
  params: { token: Address, holders: AddressOrList },
  result: HexWord,
  fields: {
    token: 'The token.',
    holders: 'The holders: one, or a list.',
  },
  errors: [...tokenBalanceErrors, 'ACCOUNT_FOLLOWED', 'SLOT_FOLLOWED'],
  example: {
    params: ['0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'],
    result: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  },
  async handler({ tokenBalances, history }, { token, holders }) {
    await tokenBalances.setLargestBalances(holders, token)
    return history.head().hash
  },
})
