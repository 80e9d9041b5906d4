import { z } from 'zod'
import { wordFromBigint } from '../../../shared/hex.ts'
import { Address } from '../../codecs/hex.ts'
import { optional } from '../../codecs/optional.ts'
import { HexAddress, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

/** Balances and nonces are decimal strings, slots are words, code is its hash. */
export const getDrift = defineMethod({
  name: 'dev_getDrift',
  summary:
    'Lists local fields and slots whose live value has changed since they became local, and the value that dev_resyncAccount would restore.',
  role: 'read',
  isSlow: true,
  params: { filter: optional(z.strictObject({ address: Address.optional() })) },
  result: z.array(
    z.object({
      address: HexAddress,
      field: z.enum(['balance', 'nonce', 'code', 'storage']),
      slot: HexWord.nullable(),
      local: z.string(),
      upstream: z.string(),
      upstreamWhenFrozen: z.string().nullable(),
    }),
  ),
  fields: {
    address: 'Only this account.',
  },
  errors: ['NOT_A_FORK', 'LIMIT_EXCEEDED', 'UPSTREAM_UNAVAILABLE'],
  example: {
    params: [{ address: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826' }],
    result: [
      {
        address: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
        field: 'balance',
        slot: null,
        local: '1000000000000000000',
        upstream: '250000000000000000',
        upstreamWhenFrozen: '500000000000000000',
      },
    ],
  },
  async handler({ drift }, { filter }) {
    const drifted = await drift.load(filter?.address)
    return drifted.map((value) => {
      const show = (it: bigint | string) =>
        typeof it === 'string' ? it : value.field === 'storage' ? wordFromBigint(it) : it.toString()
      return {
        address: value.address,
        field: value.field,
        slot: value.field === 'storage' ? value.slot : null,
        local: show(value.local),
        upstream: show(value.upstream),
        upstreamWhenFrozen: value.upstreamWhenFrozen === undefined ? null : show(value.upstreamWhenFrozen),
      }
    })
  },
})
