import { z } from 'zod'
import { quantity } from '../../../shared/hex.ts'
import { optional } from '../../codecs/optional.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const snapshot = defineMethod({
  name: 'evm_snapshot',
  aliases: ['anvil_snapshot', 'evm_getLatest'],
  summary:
    'Takes a snapshot of the network and returns its id for evm_revert. A name, if given, is listed by dev_getSnapshots.',
  role: 'admin',
  params: { name: optional(z.string().max(256, { error: 'has more than 256 characters' })) },
  result: HexQuantity,
  example: { params: [], result: '0x1' },
  handler: async ({ rewinds }, { name }) => quantity(await rewinds.snapshot(name)),
})
