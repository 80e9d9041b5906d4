import { TypedData } from '../../codecs/calls/typedData.ts'
import { Address } from '../../codecs/hex.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const signTypedData = defineMethod({
  name: 'eth_signTypedData_v4',
  aliases: ['eth_signTypedData', 'eth_signTypedData_v3'],
  summary: 'Signs typed data (EIP-712), passed as an object or as JSON, with the key of a funded account.',
  role: 'write',
  isLocal: true,
  params: { address: Address, typedData: TypedData },
  result: HexBytes,
  errors: ['NOT_IMPERSONATED'],
  example: {
    params: [
      '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      {
        types: { EIP712Domain: [{ name: 'name', type: 'string' }], Note: [{ name: 'text', type: 'string' }] },
        primaryType: 'Note',
        domain: { name: 'Example' },
        message: { text: 'hello' },
      },
    ],
    result:
      '0x99b6372cee388d2d6f8d6bd2c7583a2001a8161052d894ce310794d618d9cffd4b3148ac5a7f51ad71bbe8a7cdabc51c5ffa2d7de2eca099ba2c7effe554df071b',
  },
  handler: ({ senders }, { address, typedData }) => senders.signTypedData(address, typedData),
})
