import { z } from 'zod'
import { wordFromBigint } from '../../../shared/hex.ts'
import { optionsOf, pageFields } from '../../codecs/page.ts'
import { DecimalString, HexAddress, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodePage, pageObjectOf } from '../../encode/workspaces/workspaceActivity.ts'

/** A field of `null` reads the live chain. Code is represented by its hash. */
const LocalAccount = z
  .object({
    address: HexAddress,
    balance: DecimalString.nullable(),
    nonce: z.number().nullable(),
    code: HexWord.nullable(),
    slots: z.array(z.object({ slot: HexWord, value: HexWord, variables: z.array(z.string()) })),
    slotCount: z.number(),
  })
  .meta({ title: 'LocalAccount' })

export const getLocalState = defineMethod({
  name: 'dev_getLocalState',
  summary:
    'Lists the accounts with local state, by address: their local fields, the first local slots with the variables in them, and the number of local slots, counted up to 1000. A page may be shorter than its limit.',
  role: 'read',
  params: { options: optionsOf(pageFields) },
  result: pageObjectOf(LocalAccount),
  example: {
    params: [{ limit: 1 }],
    result: {
      items: [
        {
          address: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
          balance: '1000000000000000000',
          nonce: null,
          code: null,
          slots: [
            {
              slot: '0x0000000000000000000000000000000000000000000000000000000000000003',
              value: '0x0000000000000000000000000000000000000000000000000000000000000001',
              variables: ['paused'],
            },
          ],
          slotCount: 1,
        },
      ],
      next: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
    },
  },
  handler: async ({ dashboards }, { options }) =>
    encodePage(await dashboards.localState(options), ({ balance, nonce, codeHash, slots, ...rest }) => ({
      ...rest,
      balance: balance?.toString() ?? null,
      nonce: nonce === undefined ? null : Number(nonce),
      code: codeHash ?? null,
      slots: slots.map(({ value, ...slot }) => ({ ...slot, value: wordFromBigint(value) })),
    })),
})
