import { Address } from '../../codecs/hex.ts'
import { TypedData } from '../../codecs/typedData.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const signTypedData = defineMethod({
  name: 'eth_signTypedData_v4',
  summary: 'Signs structured data (EIP-712), given as an object or as its JSON, with the key of a funded account.',
  role: 'write',
  params: { address: Address, typedData: TypedData },
  result: HexBytes,
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
    result: '0x',
  },
  handler: ({ senders }, { address, typedData }) => senders.signTypedData(address, typedData),
})
