import type { Address as AddressHex, Word } from '@understudy/evm'
import { z } from 'zod'
import { wordFromBigint } from '../../../shared/hex.ts'
import { BlockTag } from '../../codecs/blockTag.ts'
import { Address } from '../../codecs/hex.ts'
import { Slot } from '../../codecs/numbers.ts'
import { withDefault } from '../../codecs/optional.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { blockErrors } from '../../errorGroups.ts'

/** Maximum number of slots in one request, as in geth. */
const slotLimit = 1024

/** Slots by account. */
const StorageRequests = z
  .record(Address as z.ZodType<AddressHex, string>, z.array(Slot))
  .transform((requests) => Object.entries(requests) as [AddressHex, Word[]][])
  .refine((requests) => requests.length > 0, { error: 'is empty; pass at least one account' })
  .refine((requests) => requests.reduce((sum, [, slots]) => sum + slots.length, 0) <= slotLimit, {
    error: `has more than ${slotLimit} slots`,
  })
  .meta({ title: 'StorageRequests', description: `an object of lists of slots by address, at most ${slotLimit} slots` })

const weth = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'

export const getStorageValues = defineMethod({
  name: 'eth_getStorageValues',
  summary: 'Returns the values of storage slots of several accounts, in the order of the slots.',
  role: 'read',
  params: { slots: StorageRequests, block: withDefault(BlockTag, 'latest') },
  result: z.record(z.string(), z.array(HexWord)),
  errors: blockErrors,
  example: {
    params: [{ [weth]: ['0x2'] }, 'latest'],
    result: { [weth]: ['0x0000000000000000000000000000000000000000000000000000000000000012'] },
  },
  async handler({ reads }, { slots, block }) {
    const values = slots.map(async ([address, keys]) => {
      const words = await Promise.all(keys.map((key) => reads.loadStorage(address, key, block)))
      return [address, words.map(wordFromBigint)] as const
    })
    return Object.fromEntries(await Promise.all(values))
  },
})
