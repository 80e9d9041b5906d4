import { z } from 'zod'
import { Address, Bytes } from '../../codecs/hex.ts'
import { optional } from '../../codecs/optional.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

/** Like `eth_sign`, with swapped parameters. The password that some clients send is ignored. */
export const personalSign = defineMethod({
  name: 'personal_sign',
  summary: 'Signs a message (EIP-191) with the key of a funded account.',
  role: 'write',
  isLocal: true,
  params: { message: Bytes, address: Address, password: optional(z.string()) },
  result: HexBytes,
  errors: ['NOT_IMPERSONATED'],
  example: {
    params: ['0x68656c6c6f', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'],
    result:
      '0xf16ea9a3478698f695fd1401bfe27e9e4a7e8e3da94aa72b021125e31fa899cc573c48ea3fe1d4ab61a9db10c19032026e3ed2dbccba5a178235ac27f94504311c',
  },
  handler: ({ senders }, { address, message }) => senders.signMessage(address, message),
})
