import { endpointsScenario } from './endpoints/endpoints.ts'
import { simulators } from './simulators/simulators.ts'
import { stackTraces } from './stackTraces/stackTraces.ts'

/** By the names that `npm run compare -- NAME` takes. Without a name, all of them run in turn. */
export const scenarios = { 'stack-traces': stackTraces, endpoints: endpointsScenario, simulators }
