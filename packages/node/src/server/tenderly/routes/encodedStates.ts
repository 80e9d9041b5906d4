import { z } from 'zod'
import { codec } from '../../../shared/codec.ts'
import { decodeFields } from '../fields.ts'
import { projectPath, type RestRoute } from '../route.ts'
import { chainIdFrom } from './networks.ts'

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
    const encoded = await asked.call('dev_encodeVariables', Object.fromEntries(entries))
    return {
      stateOverrides: Object.fromEntries(Object.entries(encoded).map(([address, value]) => [address, { value }])),
    }
  },
}

export const encodedStateRoutes: readonly RestRoute[] = [encodeStates]
