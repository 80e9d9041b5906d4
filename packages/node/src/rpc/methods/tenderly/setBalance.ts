import { AddressOrList } from '../../codecs/hex.ts'
import { Amount } from '../../codecs/numbers.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const setBalanceOfAll = defineMethod({
  name: 'tenderly_setBalance',
  summary: 'Sets the balances of one or more accounts, in wei. Returns the hash of the latest block.',
  role: 'admin',
  params: { addresses: AddressOrList, amount: Amount },
  result: HexWord,
  fields: {
    addresses: 'The accounts: one, or a list.',
    amount: 'The new balance, in wei.',
  },
  errors: ['ACCOUNT_FOLLOWED'],
  example: {
    params: [['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'], '0xde0b6b3a7640000'],
    result: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  },
  async handler({ state, history }, { addresses, amount }) {
    await state.setBalances(addresses, amount)
    return history.head().hash
  },
})
