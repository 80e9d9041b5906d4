import { z } from 'zod'
import { quantity } from '../../../shared/hex.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const getSnapshots = defineMethod({
  name: 'dev_getSnapshots',
  summary:
    'Lists the snapshots that evm_revert can revert to, newest first, at most 1000. The block is the latest one of the snapshot.',
  role: 'read',
  params: {},
  result: z.array(z.object({ id: HexQuantity, name: z.string().nullable(), blockNumber: HexQuantity })),
  example: { params: [], result: [{ id: '0x1', name: 'Before the upgrade', blockNumber: '0x112a880' }] },
  async handler({ rewinds }) {
    const snapshots = await rewinds.snapshots()
    return snapshots.map(({ id, name, blockNumber }) => ({
      id: quantity(id),
      name: name ?? null,
      blockNumber: quantity(blockNumber),
    }))
  },
})
