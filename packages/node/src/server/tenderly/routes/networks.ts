import { z } from 'zod'
import { codec } from '../../../shared/codec.ts'
import { NetworkError } from '../../../shared/errors.ts'
import { decodeFields } from '../fields.ts'
import { projectPath, type RestRoute } from '../route.ts'

/** `GET /v1/network/{chainId}/block-number` */
const blockNumber: RestRoute = {
  method: 'GET',
  paths: ['/v1/network/:chainId/block-number'],
  role: 'read',
  async answer({ params: { chainId }, ofChain }) {
    const network = await ofChain(chainIdFrom(chainId, 'chainId'))
    return { block_number: Number(await network.call<string>('eth_blockNumber')) }
  },
}

const Text = codec<unknown, string>('a text, a number, or true or false', (value) =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined,
)
const Body = z.looseObject({
  networkID: z.unknown().optional(),
  stateOverrides: z.record(z.string(), z.looseObject({ value: z.record(z.string(), Text).optional() })),
})

/** `POST …/contracts/encode-states`: the slots of variables, for state overrides. */
const encodeStates: RestRoute = {
  method: 'POST',
  paths: [`${projectPath}/contracts/encode-states`],
  role: 'read',
  async answer({ body, network, ofChain }) {
    const { networkID, stateOverrides } = decodeFields(Body, body)
    const asked = networkID === undefined ? network : await ofChain(chainIdFrom(networkID, 'networkID'))
    const entries = Object.entries(stateOverrides).map(([address, { value = {} }]) => [address, value] as const)
    // An account whose balance alone is overridden has no variables, and needs no storage layout.
    const named = entries.filter(([, value]) => Object.keys(value).length > 0)
    const encoded = await asked.call('dev_encodeVariables', Object.fromEntries(named))
    const slots = [...entries.map(([address]) => [address.toLowerCase(), {}] as const), ...Object.entries(encoded)]
    return { stateOverrides: Object.fromEntries(slots.map(([address, value]) => [address, { value }])) }
  },
}

export const networkRoutes: readonly RestRoute[] = [encodeStates, blockNumber]

/** The id of a chain, which clients send as text or as a number. Throws `INVALID_PARAMS`. */
export function chainIdFrom(value: unknown, field: string): bigint {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text === 'string' && /^[1-9]\d{0,19}$/.test(text)) return BigInt(text)
  throw new NetworkError('INVALID_PARAMS', { field, problem: 'expected the id of a chain in decimal digits' })
}
