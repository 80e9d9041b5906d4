import { z } from 'zod'
import { TenderlyCalls, tenderlyPointFields, tenderlyPointParams } from '../../codecs/calls/tenderlyCalls.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleCall } from '../../encode/tenderly/exampleSimulation.ts'
import { encodeGasEstimates, TenderlyGasEstimate } from '../../encode/tenderly/simulation.ts'
import { callErrors, replayErrors } from '../../errorGroups.ts'

export const estimateGasOfBundle = defineMethod({
  name: 'tenderly_estimateGasBundle',
  summary:
    'Returns for calls that run one after the other the lowest gas limits with which they succeed, and the gas that they use. At most 1000 calls.',
  role: 'read',
  isSlow: true,
  params: { calls: TenderlyCalls, ...tenderlyPointParams },
  result: z.array(TenderlyGasEstimate),
  fields: {
    calls: 'The calls, as of `eth_call`.',
    ...tenderlyPointFields,
  },
  errors: [...new Set([...callErrors, ...replayErrors])],
  example: { params: [[exampleCall], 'latest'], result: [{ gas: '0x5208', gasUsed: '0x5208' }] },
  handler: async ({ outcomes }, request) =>
    encodeGasEstimates(await outcomes.simulate({ ...request, gasLimits: true, detail: 'quick' })),
})
