import { Address, Bytes } from '../../codecs/hex.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const sign = defineMethod({
  name: 'eth_sign',
  summary: 'Signs a message (EIP-191) with the key of a funded account.',
  role: 'write',
  isLocal: true,
  params: { address: Address, message: Bytes },
  result: HexBytes,
  errors: ['NOT_IMPERSONATED'],
  example: {
    params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0x68656c6c6f'],
    result:
      '0xf16ea9a3478698f695fd1401bfe27e9e4a7e8e3da94aa72b021125e31fa899cc573c48ea3fe1d4ab61a9db10c19032026e3ed2dbccba5a178235ac27f94504311c',
  },
  handler: ({ senders }, { address, message }) => senders.signMessage(address, message),
})
