import type { SimulationRequest } from './request.ts'

/** A simulation as a script for the client. */
export function clientSimulation(request: SimulationRequest, url: string): string {
  return `import { createUnderstudyClient } from '@understudy/client'

const client = createUnderstudyClient({ url: '${url}' })
console.log(await client.dev.simulate(${JSON.stringify(request, null, 2)}))
`
}

/** A simulation as a command of Foundry. A checked request holds no quotes. */
export const castSimulation = (request: SimulationRequest, url: string): string =>
  `cast rpc --rpc-url ${url} dev_simulate '${JSON.stringify(request)}'`
