import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { Nonce } from '../../codecs/numbers.ts'
import { DecimalString, HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const setNonce = defineMethod({
  name: 'dev_setNonce',
  aliases: ['anvil_setNonce', 'hardhat_setNonce', 'evm_setAccountNonce', 'tenderly_setNonce'],
  aliasResults: { anvil_setNonce: null, hardhat_setNonce: true },
  summary: 'Sets the nonce of an account. Its next transaction has this nonce.',
  role: 'admin',
  params: { address: Address, nonce: Nonce },
  result: z.object({ address: HexAddress, nonce: DecimalString }),
  fields: {
    address: 'The account.',
    nonce: 'The new nonce: the number of transactions that the account has sent.',
  },
  errors: ['ACCOUNT_FOLLOWED'],
  example: {
    params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '7'],
    result: { address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', nonce: '7' },
  },
  async handler({ state }, { address, nonce }) {
    await state.setNonce(address, nonce)
    return { address, nonce: nonce.toString() }
  },
})
