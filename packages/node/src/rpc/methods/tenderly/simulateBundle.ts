import { z } from 'zod'
import { TenderlyCalls, tenderlyPointFields, tenderlyPointParams } from '../../codecs/calls/tenderlyCalls.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleCall, exampleSimulation } from '../../encode/tenderly/exampleSimulation.ts'
import { encodeSimulations, TenderlySimulation } from '../../encode/tenderly/simulation.ts'
import { replayErrors } from '../../errorGroups.ts'

export const simulateBundle = defineMethod({
  name: 'tenderly_simulateBundle',
  summary:
    'Runs calls in one block, each on the result of the previous one, also after one that fails, and returns for each what tenderly_simulateTransaction does. At most 1000 calls.',
  role: 'read',
  isSlow: true,
  params: { calls: TenderlyCalls, ...tenderlyPointParams },
  result: z.array(TenderlySimulation),
  fields: {
    calls: 'The calls, as of `eth_call`.',
    ...tenderlyPointFields,
  },
  errors: [...replayErrors, 'LIMIT_EXCEEDED'],
  example: { params: [[exampleCall], 'latest'], result: [exampleSimulation] },
  handler: async ({ outcomes, info }, request) =>
    encodeSimulations(await outcomes.simulate(request), info().chain.currency),
})
