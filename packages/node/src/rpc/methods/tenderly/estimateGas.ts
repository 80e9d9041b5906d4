import { TenderlyCall, tenderlyPointFields, tenderlyPointParams } from '../../codecs/calls/tenderlyCalls.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleCall } from '../../encode/tenderly/exampleSimulation.ts'
import { encodeOnlyGasEstimate, TenderlyGasEstimate } from '../../encode/tenderly/simulation.ts'
import { callErrors, replayErrors } from '../../errorGroups.ts'

export const estimateGasUsed = defineMethod({
  name: 'tenderly_estimateGas',
  summary: 'Returns the lowest gas limit with which a call succeeds, and the gas that it uses.',
  role: 'read',
  isSlow: true,
  params: { call: TenderlyCall, ...tenderlyPointParams },
  result: TenderlyGasEstimate,
  fields: {
    call: 'The call, as of `eth_call`.',
    ...tenderlyPointFields,
  },
  errors: [...new Set([...callErrors, ...replayErrors])],
  example: { params: [exampleCall, 'latest'], result: { gas: '0x5208', gasUsed: '0x5208' } },
  handler: async ({ outcomes }, { call, ...point }) =>
    encodeOnlyGasEstimate(await outcomes.simulate({ calls: [call], ...point, gasLimits: true, detail: 'quick' })),
})
