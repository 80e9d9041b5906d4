import { randomUUID } from 'node:crypto'
import type { Currency } from '../../../ethereum/chains/profile.ts'
import { NetworkError } from '../../../shared/errors.ts'
import { createPace } from '../../../shared/yieldToEventLoop.ts'
import { pageFrom } from '../fields.ts'
import { projectPath, type RestNetwork, type RestRequest, type RestRoute } from '../route.ts'
import { type SimulationBody, simulateParams, simulationBody } from '../simulations/request.ts'
import { encodeEntry, encodeSimulation, type SimulationFacts } from '../simulations/simulation.ts'

const paths = (path: string) => [`${projectPath}${path}`]

/** How long the answers of a bundle are converted before others are served, in milliseconds. */
const sliceMs = 10
/** The most simulations of a bundle. */
const bundleLimit = 1000

const simulate: RestRoute = {
  method: 'POST',
  paths: paths('/simulate'),
  role: 'read',
  async answer(request) {
    const [result] = await run(request, [simulationBody(request.body)])
    return result
  },
}

const simulateBundle: RestRoute = {
  method: 'POST',
  paths: paths('/simulate-bundle'),
  role: 'read',
  async answer(request) {
    const { simulations } = request.body
    if (!Array.isArray(simulations) || simulations.length === 0 || simulations.length > bundleLimit)
      throw new NetworkError('INVALID_PARAMS', {
        field: 'simulations',
        problem: `expected a list of 1 to ${bundleLimit} simulations`,
      })
    const bodies = simulations.map((body, index) => simulationBody(body, `simulations[${index}]`))
    return { simulation_results: await run(request, bodies) }
  },
}

/** Runs simulations one after the other, until one fails. */
export async function run(
  { params, network, ofChain }: Pick<RestRequest, 'params' | 'network' | 'ofChain'>,
  bodies: readonly SimulationBody[],
) {
  const chainId = bodies[0]?.network_id
  const asked = chainId === undefined ? network : await ofChain(chainId)
  const wanted = simulateParams(bodies)
  const { block, results, saved } = await asked.call('dev_simulate', wanted as never)
  const currency = await currencyOf(asked, results)
  const createdAt = new Date().toISOString()
  let cumulativeGasUsed = 0n
  const encoded: unknown[] = []
  const pace = createPace(sliceMs)
  for (const [index, result] of results.entries()) {
    await pace()
    cumulativeGasUsed += BigInt(result.gasUsed)
    const facts: SimulationFacts = {
      id: saved[index] ?? randomUUID(),
      // Where it is stored.
      ...{ project: asked.project, account: params.account ?? '', createdAt, isShared: false },
      transactionIndex: Number(bodies[index]?.transaction_index ?? 0),
    }
    encoded.push(encodeSimulation(result as never, block as never, { ...facts, currency, cumulativeGasUsed }))
  }
  return encoded
}

type Moves = readonly { assetChanges: readonly { token: unknown }[] }[]

/** What ether is called on the chain, if it moved. */
async function currencyOf(network: RestNetwork, results: Moves): Promise<Currency> {
  if (!results.some(({ assetChanges }) => assetChanges.some(({ token }) => token === null)))
    return { name: '', symbol: '', decimals: 18 }
  const { chain } = await network.call('dev_getNetworkInfo')
  return chain.currency
}

const list: RestRoute = {
  method: 'GET',
  paths: paths('/simulations'),
  role: 'read',
  async answer({ query, params, network }) {
    const { page, perPage } = pageFrom(query)
    const { items } = await network.call('dev_getSimulations', { limit: perPage, skip: (page - 1) * perPage })
    return {
      simulations: items.map(({ id, createdAt, isShared, ...entry }) => {
        const facts = { id, createdAt, isShared, project: network.project, account: params.account ?? '' }
        return encodeEntry(entry, { ...facts, transactionIndex: 0 })
      }),
    }
  },
}

const open: RestRoute = {
  method: 'POST',
  paths: paths('/simulations/:id'),
  role: 'read',
  async answer({ params, network }) {
    const found = await network.call('dev_getSimulation', params.id ?? '')
    const { id, createdAt, isShared, request, block, result } = found
    const { transactionIndex = '0x0' } = request as { transactionIndex?: string }
    return encodeSimulation(result as never, block as never, {
      ...{ id, createdAt, isShared, project: network.project, account: params.account ?? '' },
      transactionIndex: Number(transactionIndex),
      currency: await currencyOf(network, [result]),
      cumulativeGasUsed: BigInt(result.gasUsed),
    })
  },
}

const info: RestRoute = {
  method: 'GET',
  paths: paths('/simulations/:id/info'),
  role: 'read',
  async answer({ params, network }) {
    const { id, createdAt, isShared, owner, request, block, result, ...entry } = await network.call(
      'dev_getSimulation',
      params.id ?? '',
    )
    return {
      transaction_info: {
        ...{ id, network_id: String(entry.chainId), block_number: String(entry.blockNumber) },
        ...{ from: entry.from, to: entry.to ?? '', value: entry.value, gas: entry.gas, gas_used: entry.gasUsed },
        ...{ gas_price: entry.gasPrice, nonce: entry.nonce, method: entry.function ?? '' },
        status: entry.status === 'succeeded',
        ...(entry.error !== null && { error_message: entry.error }),
        ...{ created_at: createdAt, shared: isShared },
      },
    }
  },
}

/** The page of a shared simulation, which every key of the network opens. */
const sharing = (path: 'share' | 'unshare'): RestRoute => ({
  method: 'POST',
  paths: paths(`/simulations/:id/${path}`),
  role: 'write',
  async answer({ params, network }) {
    const { id, isShared } = await network.call('dev_shareSimulation', params.id ?? '', path === 'share')
    return { id, shared: isShared, url: `${network.url}/simulation/${id}` }
  },
})

export const simulationRoutes: readonly RestRoute[] = [
  simulate,
  simulateBundle,
  list,
  open,
  info,
  sharing('share'),
  sharing('unshare'),
]
