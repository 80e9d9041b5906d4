import { z } from 'zod'
import { optional } from '../../codecs/optional.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const dumpState = defineMethod({
  name: 'anvil_dumpState',
  aliases: ['hardhat_dumpState', 'tenderly_dumpState'],
  summary:
    "Returns every account that differs from the live chain, in anvil's format: gzipped JSON as hex. anvil_loadState accepts it, here and in anvil. Blocks and the states of earlier blocks are not included, whatever preserveHistoricalStates says.",
  role: 'read',
  params: { preserveHistoricalStates: optional(z.boolean()) },
  result: HexBytes,
  errors: ['LIMIT_EXCEEDED'],
  example: { params: [], result: '0x1f8b0800000000000003ab564a4c4ece2fcd2b2956b2aaaead05004987d0640f000000' },
  handler: ({ stateDumps }) => stateDumps.dump(),
})
