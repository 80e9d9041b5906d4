import { z } from 'zod'
import { TrackedItem, TrackedType, trackedItemFields } from '../../codecs/trackedItem.ts'
import { HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleTrackedItem } from '../../encode/trackedItem.ts'

const { id, address, type, name, functionAbi, functionOutputPath, tags } = exampleTrackedItem

export const addTrackedData = defineMethod({
  name: 'dev_addTrackedData',
  summary: 'Records a balance, a storage slot or a function result over time, starting with the next block.',
  role: 'admin',
  params: { item: TrackedItem },
  result: z.object({ id: z.string(), address: HexAddress, type: TrackedType, name: z.string() }),
  fields: trackedItemFields,
  errors: ['LIMIT_EXCEEDED'],
  example: {
    params: [{ address, name, type, functionAbi, functionOutputPath, tags }],
    result: { id, address, type, name },
  },
  async handler({ tracking }, { item }) {
    const { id, address, type, name } = await tracking.add(item)
    return { id, address, type, name }
  },
})
