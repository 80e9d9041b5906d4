import { Address, Bytes } from '../../codecs/hex.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const setCodeOf = defineMethod({
  name: 'tenderly_setCode',
  summary: 'Sets the code of an account; its storage is kept. Returns the hash of the latest block.',
  role: 'admin',
  params: { address: Address, bytecode: Bytes },
  result: HexWord,
  fields: {
    address: 'The account.',
    bytecode: 'The new runtime bytecode. `0x` removes the code.',
  },
  errors: ['ACCOUNT_FOLLOWED'],
  example: {
    params: ['0x00000000000000000000000000000000000000aa', '0x60016000f3'],
    result: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  },
  async handler({ state, history }, { address, bytecode }) {
    await state.setCode(address, bytecode)
    return history.head().hash
  },
})
