import type { Address as AddressText } from '@understudy/evm'
import { z } from 'zod'
import { wordFromBigint } from '../../../shared/hex.ts'
import { VariablePath } from '../../codecs/contracts/storageVariable.ts'
import { Address } from '../../codecs/hex.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

const accountLimit = 100
const variableLimit = 1000
const textLimit = 20_100

const Values = z
  .record(VariablePath, z.string().max(textLimit, `expected at most ${textLimit} characters`))
  .refine((values) => Object.keys(values).length <= variableLimit, {
    error: `has more than ${variableLimit} variables`,
  })

export const encodeVariables = defineMethod({
  name: 'dev_encodeVariables',
  summary:
    'Returns the storage slots of variables with new values, for state overrides: what else is in those slots stays as it is now. The storage layout of the contract, or of what it is a proxy of, must be known. Changes nothing.',
  role: 'read',
  params: {
    variables: z
      .record(Address as z.ZodType<AddressText, string>, Values)
      .refine((accounts) => Object.keys(accounts).length <= accountLimit, {
        error: `has more than ${accountLimit} contracts`,
      }),
  },
  result: z.record(z.string(), z.record(z.string(), HexWord)),
  fields: {
    variables:
      'New values by contract and by path: `owner`, `balances[0x…]`, `users[3].name`, `list.length`. Numbers in decimal digits or 0x-hex, `true` and `false`, addresses, bytes as 0x-hex, texts. A list becomes as long as its elements here need, unless its length is given.',
  },
  example: {
    params: [
      {
        '0x00000000000000000000000000000000000000aa': {
          'balances[0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266]': '1000',
        },
      },
    ],
    result: {
      '0x00000000000000000000000000000000000000aa': {
        '0x723077b8a1b173adc35e5f0e7e3662fd1208212cb629f9c128551ea7168da722':
          '0x00000000000000000000000000000000000000000000000000000000000003e8',
      },
    },
  },
  async handler({ dashboards }, { variables }) {
    const encoded: Record<string, Record<string, `0x${string}`>> = {}
    for (const [address, values] of Object.entries(variables)) {
      const slots = await dashboards.encodeStorage(address as AddressText, new Map(Object.entries(values)))
      encoded[address] = Object.fromEntries([...slots].map(([slot, value]) => [slot, wordFromBigint(value)]))
    }
    return encoded
  },
})
