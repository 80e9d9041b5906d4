import { z } from 'zod'
import { NetworkError } from '../../../shared/errors.ts'
import type { HostedNetwork, Networks } from '../../services.ts'

export const HostedNetworkObject = z
  .object({
    name: z.string(),
    url: z.string(),
    wsUrl: z.string(),
    state: z.enum(['asleep', 'waking', 'awake']),
    origin: z.enum(['configuration', 'call']),
    owner: z.string().nullable(),
    createdAt: z.string().nullable(),
    like: z.string().nullable(),
    label: z.string().nullable(),
    chainId: z.number().nullable(),
    forkBlockNumber: z.number().nullable(),
    wakeMs: z.number().nullable(),
    problem: z.string().nullable(),
  })
  .meta({ title: 'HostedNetwork' })

export const exampleHostedNetwork = {
  name: 'staging',
  url: 'http://127.0.0.1:8545/n/staging',
  wsUrl: 'ws://127.0.0.1:8545/n/staging',
  state: 'awake' as const,
  origin: 'call' as const,
  owner: '1f0c2a9d',
  createdAt: '2026-01-01T00:00:00.000Z',
  like: null,
  label: null,
  chainId: 73571,
  forkBlockNumber: null,
  wakeMs: 62,
  problem: null,
}

export function encodeHostedNetwork(
  { name, state, origin, owner, createdAt, wakeMs, problem, ...network }: HostedNetwork,
  { urlOf }: Pick<Networks, 'urlOf'>,
): z.input<typeof HostedNetworkObject> {
  const url = urlOf(name)
  return {
    name,
    url,
    wsUrl: url.replace(/^http/, 'ws'),
    state,
    origin,
    owner: owner ?? null,
    createdAt: createdAt === undefined ? null : new Date(createdAt).toISOString(),
    ...{ like: network.like ?? null, label: network.label ?? null },
    chainId: numberOrNull(network.chainId),
    forkBlockNumber: numberOrNull(network.forkBlockNumber),
    wakeMs: wakeMs ?? null,
    problem: problem ?? null,
  }
}

const numberOrNull = (value: bigint | undefined) => (value === undefined ? null : Number(value))

/** The networks of the process. Throws `SERVES_ONE_NETWORK` if it serves one. */
export function requireNetworks(networks: Networks | undefined): Networks {
  if (!networks) throw new NetworkError('SERVES_ONE_NETWORK', {})
  return networks
}
