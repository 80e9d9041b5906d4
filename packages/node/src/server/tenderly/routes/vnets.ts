import type { Result } from '@understudy/client/methods'
import type { Hex } from '@understudy/evm'
import { z } from 'zod'
import { BranchLabel, BranchName } from '../../../rpc/codecs/names.ts'
import { optional } from '../../../rpc/codecs/optional.ts'
import { NetworkError } from '../../../shared/errors.ts'
import { decodeFields, pageFrom, textFrom, VnetBlock, VnetChainId } from '../fields.ts'
import { projectPath, type RestNetwork, type RestRequest, type RestRoute } from '../route.ts'
import { encodeVnet, type Vnet, vnetIdOf } from '../vnet.ts'

type Branch = Result<'dev_getBranches'>[number]

const names = { slug: optional(BranchName), display_name: optional(BranchLabel) }

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
    await requireReach(network, block)
    const branch = await network.call('dev_createBranch', branchFrom(wanted, block))
    const chainId = wanted.virtual_network_config?.chain_config?.chain_id
    try {
      const made = await network.branch(branch.name)
      // Clients send transactions of any account, without a signature.
      await made.call('anvil_autoImpersonateAccount', true)
      if (chainId !== undefined) await made.call('anvil_setChainId', Number(chainId))
    } catch (error) {
      await network.call('dev_removeBranch', branch.id)
      throw error
    }
    return vnetFrom(branch, network)
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
    const { branch: parent, network } = await findVnet(wanted.vnet_id, request)
    const vnet = await network.branch(parent.name)
    const branch = await vnet.call('dev_createBranch', branchFrom(wanted, wanted.block_number))
    return vnetFrom(branch, network)
  },
}

/** `GET …/vnets` */
const list: RestRoute = {
  method: 'GET',
  paths: [`${projectPath}/vnets`],
  role: 'read',
  async answer({ query, network }) {
    const { page, perPage } = pageFrom(query)
    const found = matching(await network.call('dev_getBranches'), query)
    const vnets: Vnet[] = []
    // One after the other: each is opened for its chain id.
    for (const branch of found.slice((page - 1) * perPage, page * perPage)) vnets.push(await vnetFrom(branch, network))
    return vnets
  },
}

/** `GET …/vnets/{id}` */
const show: RestRoute = {
  method: 'GET',
  paths: [`${projectPath}/vnets/:vnet`],
  role: 'read',
  async answer(request) {
    const { branch, network } = await requireVnet(request)
    return vnetFrom(branch, network)
  },
}

/** `PATCH …/vnets/{id}` */
const change: RestRoute = {
  method: 'PATCH',
  paths: [`${projectPath}/vnets/:vnet`],
  role: 'admin',
  async answer(request) {
    const { slug, display_name: label } = decodeFields(Changes, request.body)
    const { branch, network } = await requireVnet(request)
    const renamed = await network.call('dev_renameBranch', branch.id, slug ?? branch.name, label)
    return vnetFrom(renamed, network)
  },
}

/** `DELETE …/vnets/{id}` */
const remove: RestRoute = {
  method: 'DELETE',
  paths: [`${projectPath}/vnets/:vnet`],
  role: 'admin',
  async answer(request) {
    const { branch, network } = await requireVnet(request)
    await network.call('dev_removeBranch', branch.id)
    return undefined
  },
}

/** The life cycle of vnets, which are branches. */
export const vnetRoutes: readonly RestRoute[] = [create, fork, list, show, change, remove]

/** The branch that a path names as a vnet, and the network that it is of. Throws `NOT_FOUND`. */
export const requireVnet = (request: RestRequest): Promise<FoundVnet> => findVnet(request.params.vnet ?? '', request)

type FoundVnet = { branch: Branch; network: RestNetwork }

/** By its UUID, by the id or by the name of the branch: of the network of the project first, then of others of the process. */
async function findVnet(id: string, { network, others }: RestRequest): Promise<FoundVnet> {
  const isIt = (branch: Branch) => branch.id === id || branch.name === id || vnetIdOf(branch.id) === id
  const branch = (await network.call('dev_getBranches')).find(isIt)
  if (branch) return { branch, network }
  for await (const other of others()) {
    const branch = (await other.call('dev_getBranches')).find(isIt)
    if (branch) return { branch, network: other }
  }
  throw new NetworkError('NOT_FOUND', { resource: 'vnet', id: id.slice(0, 100) })
}

async function vnetFrom(branch: Branch, network: RestNetwork): Promise<Vnet> {
  const { call, url, keys } = await network.branch(branch.name)
  const { chainId, upstream } = await call('dev_getNetworkInfo')
  return encodeVnet(branch, {
    ...{ url, keys, chainId },
    networkId: upstream?.chainId ?? chainId,
    followsHead: upstream?.followsHead ?? false,
  })
}

/** Throws `INVALID_PARAMS` for a block before the first one that a branch can begin at. */
async function requireReach({ call }: RestNetwork, block: Hex | 'latest' | undefined): Promise<void> {
  if (block === undefined || block === 'latest') return
  const { origin } = await call('dev_getNetworkInfo')
  if (BigInt(block) >= BigInt(origin.number)) return
  throw new NetworkError('INVALID_PARAMS', {
    field: 'fork_config.block_number',
    problem: `this network forks block ${origin.number}, and its vnets begin there or later. To fork block ${BigInt(block)}, start a network with --fork-block-number`,
  })
}

const branchFrom = ({ slug, display_name: label }: z.output<typeof Changes>, at: Hex | 'latest' | undefined) => ({
  ...(slug !== undefined && { name: slug }),
  ...(label !== undefined && { label }),
  ...(at !== undefined && { at }),
})

/** The branches that a query selects: those that match best first, then the newest. */
function matching(branches: readonly Branch[], query: RestRequest['query']): Branch[] {
  const words = textFrom(query, 'keywords')?.toLowerCase()
  const newestFirst = [...branches].reverse()
  if (!words) return newestFirst
  const field = fieldOf(textFrom(query, 'match_field'))
  const matches = matchOf(textFrom(query, 'match_type'))
  const found = newestFirst.filter((branch) => matches(field(branch).toLowerCase(), words))
  const isSame = (branch: Branch) => Number(field(branch).toLowerCase() === words)
  return found.sort((a, b) => isSame(b) - isSame(a))
}

function fieldOf(name = 'slug'): (branch: Branch) => string {
  if (name === 'slug') return (branch) => branch.name
  if (name === 'display_name') return (branch) => branch.label ?? branch.name
  if (name === 'id') return (branch) => vnetIdOf(branch.id)
  throw new NetworkError('INVALID_PARAMS', { field: 'match_field', problem: 'expected slug, display_name or id' })
}

function matchOf(type = 'contains'): (text: string, words: string) => boolean {
  if (type === 'prefix') return (text, words) => text.startsWith(words)
  if (type === 'exact') return (text, words) => text === words
  if (type === 'contains') return (text, words) => text.includes(words)
  throw new NetworkError('INVALID_PARAMS', { field: 'match_type', problem: 'expected prefix, exact or contains' })
}
