import type { Params, Result } from '@understudy/client/methods'
import { z } from 'zod'
import { optional } from '../../../rpc/codecs/optional.ts'
import { NetworkError } from '../../../shared/errors.ts'
import { decodeFields } from '../fields.ts'
import { projectPath, type RestNetwork, type RestRequest, type RestRoute } from '../route.ts'
import { uuidOf } from '../vnet.ts'

type Invariant = Result<'dev_getInvariants'>[number]
type Webhook = NonNullable<Result<'dev_getWebhook'>>
type Check = Params<'dev_addInvariant'>[0]['check']

const Alert = z.looseObject({
  name: z.string({ error: 'expected a name' }),
  expressions: z
    .array(z.looseObject({ type: z.string({ error: 'expected a type' }), expression: z.unknown() }))
    .length(1, { error: 'expected one expression; add an alert for each' }),
})
const Channel = z.looseObject({
  type: z.string({ error: 'expected a type' }),
  information: z.looseObject({ url: z.string({ error: 'expected a URL' }), secret: optional(z.string()) }),
})

const listAlerts: RestRoute = {
  method: 'GET',
  paths: [`${projectPath}/alerts`],
  role: 'read',
  async answer({ network }) {
    const [invariants, channels] = [await network.call('dev_getInvariants'), await channelsOf(network)]
    return { alerts: invariants.map((invariant) => encodeAlert(invariant, channels)) }
  },
}

/** Of the alerts, the network has those on values: invariants, which hold after every block. */
const addAlert: RestRoute = {
  method: 'POST',
  paths: [`${projectPath}/alert`, `${projectPath}/alerts`],
  role: 'admin',
  status: 201,
  async answer({ body, network }) {
    const { name, expressions } = decodeFields(Alert, body)
    const [{ type, expression } = { type: '', expression: undefined }] = expressions
    if (type !== 'invariant')
      throw new NetworkError('UNSUPPORTED', {
        what: `alerts on ${type.slice(0, 100)}: use the type "invariant" with the check of dev_addInvariant as the expression, or subscribe to logs with eth_subscribe`,
      })
    const added = await network.call('dev_addInvariant', { name, check: expression as Check })
    return { alert: encodeAlert(added, await channelsOf(network)) }
  },
}

const removeAlert: RestRoute = {
  method: 'DELETE',
  paths: [`${projectPath}/alert/:alert`, `${projectPath}/alerts/:alert`],
  role: 'admin',
  async answer({ params, network }) {
    await network.call('dev_removeInvariant', params.alert ?? '')
    return undefined
  },
}

const listChannels: RestRoute = {
  method: 'GET',
  paths: [`${projectPath}/delivery-channels`],
  role: 'read',
  answer: async ({ network }) => ({ delivery_channels: await channelsOf(network) }),
}

/** The network has one: its webhook. */
const setChannel: RestRoute = {
  method: 'POST',
  paths: [`${projectPath}/delivery-channels`],
  role: 'admin',
  status: 201,
  async answer({ body, network }: RestRequest) {
    const { type, information } = decodeFields(Channel, body)
    if (type !== 'webhook')
      throw new NetworkError('UNSUPPORTED', {
        what: `delivery to ${type.slice(0, 100)}: use the type "webhook" with a URL, and pass on what it gets`,
      })
    const { url, secret } = information
    await network.call('dev_setWebhook', { url, ...(secret !== undefined && { secret }) })
    return { delivery_channel: (await channelsOf(network))[0] }
  },
}

const removeChannel: RestRoute = {
  method: 'DELETE',
  paths: [`${projectPath}/delivery-channels/:channel`],
  role: 'admin',
  async answer({ params: { channel = '' }, network }) {
    if (!(await channelsOf(network)).some(({ id }) => id === channel))
      throw new NetworkError('NOT_FOUND', { resource: 'delivery channel', id: channel.slice(0, 100) })
    await network.call('dev_setWebhook', null)
    return undefined
  },
}

/** Alerts, which are invariants, and what they are delivered to: the webhook of the network. */
export const alertRoutes: readonly RestRoute[] = [
  ...[listAlerts, addAlert, removeAlert],
  ...[listChannels, setChannel, removeChannel],
]

type EncodedChannel = ReturnType<typeof encodeChannel>

async function channelsOf({ call }: RestNetwork): Promise<EncodedChannel[]> {
  const webhook = await call('dev_getWebhook')
  return webhook ? [encodeChannel(webhook)] : []
}

const encodeChannel = ({ url }: Webhook) => ({
  ...{ id: uuidOf('webhook'), type: 'webhook', enabled: true },
  information: { url },
})

const encodeAlert = ({ id, name, check }: Invariant, channels: EncodedChannel[]) => ({
  ...{ id, name, description: '', enabled: true },
  expressions: [{ type: 'invariant', expression: check }],
  delivery_channels: channels.map((channel) => ({ enabled: true, delivery_channel: channel })),
})
