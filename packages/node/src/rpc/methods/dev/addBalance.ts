import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { Amount } from '../../codecs/numbers.ts'
import { DecimalString, HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const addBalance = defineMethod({
  name: 'dev_addBalance',
  aliases: ['anvil_addBalance', 'hardhat_addBalance'],
  summary: 'Adds to the balance of an account, in wei.',
  role: 'admin',
  params: { address: Address, amount: Amount },
  result: z.object({ address: HexAddress, balance: DecimalString }),
  fields: {
    address: 'The account.',
    amount: 'The amount to add, in wei.',
  },
  errors: ['ACCOUNT_FOLLOWED'],
  example: {
    params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '1000000000000000000'],
    result: { address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', balance: '10001000000000000000000' },
  },
  async handler({ state }, { address, amount }) {
    const balances = await state.addBalances([address], amount)
    return { address, balance: String(balances.get(address)) }
  },
})
