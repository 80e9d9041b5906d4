import { z } from 'zod'
import { withDefault } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeEntry, exampleEntry, SimulationEntryObject } from '../../encode/outcome/storedSimulation.ts'

export const shareSimulation = defineMethod({
  name: 'dev_shareSimulation',
  summary:
    'Shares a saved simulation with all keys of the network, or no longer. A shared one stays until it is no longer shared. The dashboard shows it at /simulation/ID.',
  role: 'write',
  params: { id: z.string(), isShared: withDefault(z.boolean(), true) },
  result: SimulationEntryObject,
  fields: { id: 'The id of the simulation.', isShared: 'Whether all keys may see it; true by default.' },
  errors: ['NOT_FOUND'],
  example: { params: [exampleEntry.id, true], result: { ...exampleEntry, isShared: true } },
  handler: async ({ storedSimulations }, { id, isShared }, caller) =>
    encodeEntry(await storedSimulations.share(id, isShared, caller)),
})
