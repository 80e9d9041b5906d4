import { z } from 'zod'
import { withDefault } from '../../codecs/optional.ts'
import { WipeOptions } from '../../codecs/wipe.ts'
import { Timestamp } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const wipeLocalState = defineMethod({
  name: 'mock_wipeLocalState',
  summary:
    'Clears all local state in one block and funds the accounts again; in replay mode at once, as part of the next block of the live chain. Keeps the Permit2 allowances of `routers`, and blocks, overrides, tracked data, follows and workspaces.',
  role: 'admin',
  params: { options: withDefault(WipeOptions, { routers: undefined }) },
  result: z.object({
    blockNumber: z.number(),
    accountsCleared: z.number(),
    slotsCleared: z.number(),
    codesCleared: z.number(),
    allowancesKept: z.number(),
    wipedAt: Timestamp,
  }),
  fields: {
    routers: 'Spenders whose Permit2 allowances are kept.',
  },
  example: {
    params: [{ routers: ['0x66a9893cc07d91d95644aedd05d03f95e1dba8af'] }],
    result: {
      blockNumber: 21000042,
      accountsCleared: 14,
      slotsCleared: 39,
      codesCleared: 2,
      allowancesKept: 1,
      wipedAt: '2024-10-20T12:00:11.000Z',
    },
  },
  async handler({ wipes }, { options }) {
    const { blockNumber, wipedAt, ...counts } = await wipes.wipe(options.routers ?? [])
    return { blockNumber: Number(blockNumber), ...counts, wipedAt: new Date(wipedAt).toISOString() }
  },
})
