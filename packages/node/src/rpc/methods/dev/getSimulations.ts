import { z } from 'zod'
import { wholeNumber } from '../../codecs/numbers.ts'
import { withDefault } from '../../codecs/optional.ts'
import { optionsOf, pageFields } from '../../codecs/page.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeEntry, exampleEntry, SimulationEntryObject } from '../../encode/outcome/storedSimulation.ts'

export const getSimulations = defineMethod({
  name: 'dev_getSimulations',
  summary:
    'Lists the simulations that the caller saved with dev_simulate, and those that are shared, newest first; with the role admin, all.',
  role: 'read',
  params: { page: optionsOf({ ...pageFields, skip: withDefault(wholeNumber(0, 10_000_000), 0) }) },
  result: z.object({ items: z.array(SimulationEntryObject), next: z.string().nullable() }),
  fields: { skip: 'Leaves out so many of the newest, for clients that count pages.' },
  example: { params: [{ limit: 1 }], result: { items: [exampleEntry], next: null } },
  async handler({ storedSimulations }, { page }, caller) {
    const { items, next = null } = await storedSimulations.list(caller, page)
    return { items: items.map(encodeEntry), next }
  },
})
