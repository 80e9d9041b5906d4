import type { SimulationRequest } from './request.ts'

/** The parameters of `eth_simulateV1`. */
const paramsOf = ({ calls, block, stateOverrides, blockOverrides }: SimulationRequest) => [
  { blockStateCalls: [{ blockOverrides, stateOverrides, calls }] },
  block,
]

/** A simulation as a script for viem. */
export function viemSimulation(request: SimulationRequest, url: string): string {
  const params = JSON.stringify(paramsOf(request), null, 2)
  return `import { createPublicClient, http } from 'viem'

const client = createPublicClient({ transport: http('${url}') })
console.log(await client.request({ method: 'eth_simulateV1', params: ${params} }))
`
}

/** A simulation as a command of Foundry. A checked request holds no quotes. */
export function castSimulation(request: SimulationRequest, url: string): string {
  const params = paramsOf(request).map((param) => `'${JSON.stringify(param)}'`)
  return `cast rpc --rpc-url ${url} eth_simulateV1 ${params.join(' ')}`
}
