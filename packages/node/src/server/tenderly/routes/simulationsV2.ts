import type { Hex } from '@understudy/evm'
import { z } from 'zod'
import { codec } from '../../../shared/codec.ts'
import { NetworkError } from '../../../shared/errors.ts'
import { quantity } from '../../../shared/hex.ts'
import { createPace } from '../../../shared/yieldToEventLoop.ts'
import { decodeFields } from '../fields.ts'
import type { RestRequest, RestRoute } from '../route.ts'
import { Accounts, callFields, callOf, optional, requireOneInput, withoutGaps } from '../simulations/request.ts'
import { encodeV2 } from '../simulations/v2.ts'
import { chainIdFrom } from './networks.ts'

const path = '/v2/account/:account/project/:project/simulations'
/** How long the answers of a bundle are converted before others are served, in milliseconds. */
const sliceMs = 10
/** The most simulations of a bundle. */
const bundleLimit = 1000

const BlockNumber = codec<unknown, Hex>('the number of a block', (value) => {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^(?:0x[\da-f]{1,16}|\d{1,18})$/i.test(text) ? quantity(BigInt(text)) : undefined
})
const BlockHash = codec<unknown, Hex>('the hash of a block', (value) =>
  typeof value === 'string' && /^0x[\da-f]{64}$/i.test(value) ? (value as Hex) : undefined,
)
const Call = z.looseObject(callFields)

const Body = z.looseObject({
  network_id: z.unknown().optional(),
  call_args: z.unknown().optional(),
  block_number_or_hash: optional(z.looseObject({ blockNumber: optional(BlockNumber), blockHash: optional(BlockHash) })),
  overrides: optional(Accounts),
})

function callFrom(given: unknown, field: string) {
  const call = decodeFields(Call, given, field)
  requireOneInput(call, field)
  return call
}

function callsFrom(given: unknown) {
  if (Array.isArray(given) && given.length > 0 && given.length <= bundleLimit)
    return given.map((call, index) => callFrom(call, `call_args[${index}]`))
  throw new NetworkError('INVALID_PARAMS', {
    field: 'call_args',
    problem: `expected a list of 1 to ${bundleLimit} calls`,
  })
}

/** What the SDK sends: one call, or a list. */
async function run({ body, network, ofChain }: RestRequest, isBundle: boolean) {
  const { network_id, call_args, block_number_or_hash: at, overrides } = decodeFields(Body, body)
  const calls = isBundle ? callsFrom(call_args) : [callFrom(call_args, 'call_args')]
  const asked = network_id === undefined ? network : await ofChain(chainIdFrom(network_id, 'network_id'))
  const { block, results } = await asked.call('dev_simulate', {
    calls: calls.map(callOf),
    block: at?.blockHash ?? at?.blockNumber ?? 'latest',
    // The SDK gives a result to each of its transactions.
    onFailure: 'continue',
    ...withoutGaps({ stateOverrides: overrides }),
  } as never)
  let cumulativeGasUsed = 0n
  const encoded: unknown[] = []
  const pace = createPace(sliceMs)
  for (const result of results) {
    await pace()
    cumulativeGasUsed += BigInt(result.gasUsed)
    encoded.push(encodeV2(result as never, block as never, cumulativeGasUsed))
  }
  return encoded
}

const simulate: RestRoute = {
  method: 'POST',
  paths: [`${path}/simulate`],
  role: 'read',
  answer: async (request) => (await run(request, false))[0],
}

const simulateBundle: RestRoute = {
  method: 'POST',
  paths: [`${path}/simulate/bundle`],
  role: 'read',
  answer: async (request) => ({ simulations: await run(request, true) }),
}

/** The paths of the SDK. */
export const simulationV2Routes: readonly RestRoute[] = [simulate, simulateBundle]
