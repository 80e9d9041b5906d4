import { z } from 'zod'
import { NetworkError } from '../../../shared/errors.ts'
import { Address, BytesOfLength } from '../../codecs/hex.ts'
import { optional } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'

const Signature = BytesOfLength(65)

export const impersonateSignature = defineMethod({
  name: 'anvil_impersonateSignature',
  summary:
    'Makes ECRECOVER return an address for a signature (r, s and v), whatever it signs. anvil takes both as one pair. Persists across restarts.',
  role: 'admin',
  params: {
    signature: z
      .union([Signature, z.tuple([Signature, Address])])
      .meta({ title: 'SignatureOrPair', description: 'a signature of 65 bytes, or a pair of it and the address' }),
    address: optional(Address),
  },
  result: z.null(),
  errors: ['LIMIT_EXCEEDED'],
  example: { params: [`0x${'ab'.repeat(65)}`, '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'], result: null },
  async handler({ blockSettings }, { signature: given, address }) {
    const [signature, signer] = typeof given === 'string' ? [given, address] : given
    if (signer === undefined)
      throw new NetworkError('INVALID_PARAMS', { field: 'params[1] (address)', problem: 'is missing' })
    await blockSettings.impersonateSignature(signature, signer)
    return null
  },
})
