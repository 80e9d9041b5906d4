import { defineMethod } from '../../defineMethod.ts'
import { encodeNetworkInfo, exampleNetworkInfo, NetworkInfoObject } from '../../encode/networks/networkInfo.ts'

/** Numbers are JSON numbers here, times ISO 8601. */
export const getNetworkInfo = defineMethod({
  name: 'dev_getNetworkInfo',
  summary: 'Returns the state of the network and of the live chain.',
  role: 'read',
  params: {},
  result: NetworkInfoObject,
  example: { params: [], result: exampleNetworkInfo },
  handler: (services) => encodeNetworkInfo(services),
})
