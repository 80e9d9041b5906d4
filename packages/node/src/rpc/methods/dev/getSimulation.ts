import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import { encodeEntry, exampleStored, StoredSimulationObject } from '../../encode/outcome/storedSimulation.ts'

export const getSimulation = defineMethod({
  name: 'dev_getSimulation',
  summary:
    'Returns a simulation that was saved with dev_simulate, with everything that was known about it then. One that is not shared is there only for the key that saved it and for the role admin.',
  role: 'read',
  params: { id: z.string() },
  result: StoredSimulationObject,
  fields: { id: 'The id of the simulation.' },
  errors: ['NOT_FOUND'],
  example: { params: [exampleStored.id], result: exampleStored },
  async handler({ storedSimulations }, { id }, caller) {
    const { content, ...entry } = await storedSimulations.load(id, caller)
    return { ...encodeEntry(entry), ...JSON.parse(content) }
  },
})
