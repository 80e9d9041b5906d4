import { z } from 'zod'
import { Bytes } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'

export const loadState = defineMethod({
  name: 'anvil_loadState',
  aliases: ['hardhat_loadState', 'tenderly_loadState'],
  summary:
    'Writes the accounts of a dump of anvil_dumpState, from here or from anvil, over those of the network. Blocks in the dump are ignored.',
  role: 'admin',
  isImport: true,
  params: { state: Bytes },
  result: z.literal(true),
  errors: ['ACCOUNT_FOLLOWED', 'SLOT_FOLLOWED'],
  example: { params: ['0x1f8b0800000000000003ab564a4c4ece2fcd2b2956b2aaaead05004987d0640f000000'], result: true },
  async handler({ stateDumps }, { state }) {
    await stateDumps.load(state)
    return true as const
  },
})
