import type { Hex } from '@understudy/evm'
import { z } from 'zod'
import { BranchName, NetworkLabel } from '../../../rpc/codecs/names.ts'
import { optional } from '../../../rpc/codecs/optional.ts'
import { NetworkError } from '../../../shared/errors.ts'
import { decodeFields, pageFrom, textFrom, VnetBlock, VnetChainId } from '../fields.ts'
import { projectPath, type RestNetwork, type RestRequest, type RestRoute } from '../route.ts'
import type { Vnet } from '../vnet.ts'
import {
  branchSource,
  findVnet,
  hostedSource,
  networkNameOf,
  requireVnet,
  type VnetSource,
  vnetsOf,
} from '../vnetSources.ts'

const names = { slug: optional(BranchName), display_name: optional(NetworkLabel) }

const Wanted = z.looseObject({
  ...names,
  fork_config: z.looseObject({ network_id: VnetChainId, block_number: optional(VnetBlock) }),
  virtual_network_config: optional(
    z.looseObject({ chain_config: optional(z.looseObject({ chain_id: optional(VnetChainId) })) }),
  ),
})

const Fork = z.looseObject({
  ...names,
  vnet_id: z.string({ error: 'expected the id of a vnet' }),
  block_number: optional(VnetBlock),
})

const Changes = z.looseObject(names)

/** `POST …/vnets` */
const create: RestRoute = {
  method: 'POST',
  paths: [`${projectPath}/vnets`],
  role: 'admin',
  status: 201,
  async answer(request) {
    const wanted = decodeFields(Wanted, request.body)
    const { network_id: networkId, block_number: block } = wanted.fork_config
    const network = await request.ofChain(networkId)
    const source = (await isReached(network, block))
      ? await createBranch(wanted, network)
      : await createNetwork(wanted, network, request)
    const chainId = wanted.virtual_network_config?.chain_config?.chain_id
    try {
      const { call } = await source.open()
      // Clients send transactions of any account, without a signature.
      await call('anvil_autoImpersonateAccount', true)
      if (chainId !== undefined) await call('anvil_setChainId', Number(chainId))
    } catch (error) {
      await source.remove()
      throw error
    }
    return source.describe()
  },
}

/** `POST …/vnets/fork` */
const fork: RestRoute = {
  method: 'POST',
  paths: [`${projectPath}/vnets/fork`],
  role: 'admin',
  status: 201,
  async answer(request) {
    const wanted = decodeFields(Fork, request.body)
    const parent = await (await findVnet(wanted.vnet_id, request)).open()
    const branch = await parent.call('dev_createBranch', branchFrom(wanted, wanted.block_number))
    return branchSource(branch, parent).describe()
  },
}

/** `GET …/vnets` */
const list: RestRoute = {
  method: 'GET',
  paths: [`${projectPath}/vnets`],
  role: 'read',
  async answer(request) {
    const { page, perPage } = pageFrom(request.query)
    const found = matching(await vnetsOf(request), request.query)
    const vnets: Vnet[] = []
    // One after the other: each branch is opened for its chain id.
    for (const source of found.slice((page - 1) * perPage, page * perPage)) vnets.push(await source.describe())
    return vnets
  },
}

/** `GET …/vnets/{id}` */
const show: RestRoute = {
  method: 'GET',
  paths: [`${projectPath}/vnets/:vnet`],
  role: 'read',
  answer: async (request) => (await requireVnet(request)).describe(),
}

/** `PATCH …/vnets/{id}` */
const change: RestRoute = {
  method: 'PATCH',
  paths: [`${projectPath}/vnets/:vnet`],
  role: 'admin',
  async answer(request) {
    const { slug, display_name: label } = decodeFields(Changes, request.body)
    return (await requireVnet(request)).rename({ slug, label })
  },
}

/** `DELETE …/vnets/{id}` */
const remove: RestRoute = {
  method: 'DELETE',
  paths: [`${projectPath}/vnets/:vnet`],
  role: 'admin',
  async answer(request) {
    await (await requireVnet(request)).remove()
    return undefined
  },
}

/** The life cycle of vnets. */
export const vnetRoutes: readonly RestRoute[] = [create, fork, list, show, change, remove]

/** Whether a branch can begin at a block. */
async function isReached({ call }: RestNetwork, block: Hex | 'latest' | undefined): Promise<boolean> {
  if (block === undefined || block === 'latest') return true
  const { origin } = await call('dev_getNetworkInfo')
  return BigInt(block) >= BigInt(origin.number)
}

async function createBranch(wanted: z.output<typeof Wanted>, network: RestNetwork): Promise<VnetSource> {
  const branch = await network.call('dev_createBranch', branchFrom(wanted, wanted.fork_config.block_number))
  return branchSource(branch, network)
}

/** A network of its own, which forks the live chain of another one at an earlier block. */
async function createNetwork(
  { slug, display_name: label, fork_config: { block_number: block }, ...wanted }: z.output<typeof Wanted>,
  { call, hosted: like }: RestNetwork,
  request: RestRequest,
): Promise<VnetSource> {
  const { origin, upstream } = await call('dev_getNetworkInfo')
  const number = Number(block)
  const refuse = (advice: string) =>
    new NetworkError('INVALID_PARAMS', {
      field: 'fork_config.block_number',
      problem: `this network begins at block ${origin.number}, and its vnets do so there or later. To fork block ${number}, ${advice}`,
    })
  if (!upstream) throw refuse('fork a live chain that has it')
  if (like === undefined) throw refuse('use a network of `understudy serve`, or start one with --fork-block-number')
  const name = networkNameOf(slug ?? `vnet-${number}-${Date.now().toString(36)}`)
  const chainId = wanted.virtual_network_config?.chain_config?.chain_id
  const options = { 'fork-block-number': number, ...(chainId !== undefined && { 'chain-id': Number(chainId) }) }
  const made = await call('dev_createNetwork', { name, like, options, ...(label !== undefined && { label }) })
  return hostedSource({ ...made, like }, request)
}

const branchFrom = ({ slug, display_name: label }: z.output<typeof Changes>, at: Hex | 'latest' | undefined) => ({
  ...(slug !== undefined && { name: slug }),
  ...(label !== undefined && { label }),
  ...(at !== undefined && { at }),
})

/** The vnets that a query selects: those that match best first, then the newest. */
function matching(vnets: readonly VnetSource[], query: RestRequest['query']): VnetSource[] {
  const words = textFrom(query, 'keywords')?.toLowerCase()
  if (!words) return [...vnets]
  const field = fieldOf(textFrom(query, 'match_field'))
  const matches = matchOf(textFrom(query, 'match_type'))
  const found = vnets.filter((vnet) => matches(field(vnet).toLowerCase(), words))
  const isSame = (vnet: VnetSource) => Number(field(vnet).toLowerCase() === words)
  return found.sort((a, b) => isSame(b) - isSame(a))
}

function fieldOf(name = 'slug'): (source: VnetSource) => string {
  if (name === 'slug') return ({ slug }) => slug
  if (name === 'display_name') return ({ label, slug }) => label ?? slug
  if (name === 'id') return ({ id }) => id
  throw new NetworkError('INVALID_PARAMS', { field: 'match_field', problem: 'expected slug, display_name or id' })
}

function matchOf(type = 'contains'): (text: string, words: string) => boolean {
  if (type === 'prefix') return (text, words) => text.startsWith(words)
  if (type === 'exact') return (text, words) => text === words
  if (type === 'contains') return (text, words) => text.includes(words)
  throw new NetworkError('INVALID_PARAMS', { field: 'match_type', problem: 'expected prefix, exact or contains' })
}
