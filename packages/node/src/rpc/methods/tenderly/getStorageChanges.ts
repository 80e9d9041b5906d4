import { z } from 'zod'
import { quantity, wordFromBigint } from '../../../shared/hex.ts'
import { Address } from '../../codecs/hex.ts'
import { Slot } from '../../codecs/numbers.ts'
import { HexQuantity, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { blockErrors } from '../../errorGroups.ts'

const Query = z.object({ address: Address, offset: Slot })

export const getStorageChanges = defineMethod({
  name: 'tenderly_getStorageChanges',
  summary:
    'Returns the values that a storage slot had after the blocks of this network that changed it, newest first, at most 1000. dev_getSlotHistory says what changed it.',
  role: 'read',
  isSlow: true,
  params: { query: Query },
  result: z.array(z.object({ blockNumber: HexQuantity, value: HexWord })),
  fields: {
    address: 'The contract.',
    offset: 'The storage slot.',
  },
  errors: blockErrors,
  example: {
    params: [{ address: '0x5fbdb2315678afecb367f032d93f642f64180aa3', offset: '0x0' }],
    result: [{ blockNumber: '0x7', value: '0x0000000000000000000000000000000000000000000000000000000000000002' }],
  },
  async handler({ slotHistory }, { query: { address, offset: slot } }) {
    const changes = await slotHistory.byBlock({ address, slot })
    return changes.map(({ block, value }) => ({ blockNumber: quantity(block), value: wordFromBigint(value) }))
  },
})
