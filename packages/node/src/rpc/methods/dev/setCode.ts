import { z } from 'zod'
import { Address, Bytes } from '../../codecs/hex.ts'
import { HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const setCode = defineMethod({
  name: 'dev_setCode',
  aliases: ['anvil_setCode', 'hardhat_setCode', 'evm_setAccountCode'],
  aliasResults: { anvil_setCode: null, hardhat_setCode: true },
  summary: 'Sets the code of an account; its storage is kept.',
  role: 'admin',
  params: { address: Address, bytecode: Bytes },
  result: z.object({ address: HexAddress }),
  fields: {
    address: 'The account.',
    bytecode: 'The new runtime bytecode. `0x` removes the code.',
  },
  errors: ['ACCOUNT_FOLLOWED'],
  example: {
    params: ['0x00000000000000000000000000000000000000aa', '0x60016000f3'],
    result: { address: '0x00000000000000000000000000000000000000aa' },
  },
  async handler({ state }, { address, bytecode }) {
    await state.setCode(address, bytecode)
    return { address }
  },
})
