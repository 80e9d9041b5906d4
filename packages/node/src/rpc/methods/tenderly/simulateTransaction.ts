import { TenderlyCall, tenderlyPointFields, tenderlyPointParams } from '../../codecs/calls/tenderlyCalls.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleCall, exampleSimulation } from '../../encode/tenderly/exampleSimulation.ts'
import { encodeOnlySimulation, TenderlySimulation } from '../../encode/tenderly/simulation.ts'
import { replayErrors } from '../../errorGroups.ts'

export const simulateTransaction = defineMethod({
  name: 'tenderly_simulateTransaction',
  summary:
    'Runs a call and returns what it would do, in the shape of Tenderly: logs, inner calls, asset changes, state changes, approvals. A call that fails is a result. Nothing is stored. dev_simulate says the same in a shape of its own.',
  role: 'read',
  isSlow: true,
  params: { call: TenderlyCall, ...tenderlyPointParams },
  result: TenderlySimulation,
  fields: {
    call: 'The call, as of `eth_call`.',
    ...tenderlyPointFields,
  },
  errors: [...replayErrors, 'LIMIT_EXCEEDED'],
  example: { params: [exampleCall, 'latest'], result: exampleSimulation },
  handler: async ({ outcomes, info }, { call, ...point }) =>
    encodeOnlySimulation(await outcomes.simulate({ calls: [call], ...point }), info().chain.currency),
})
