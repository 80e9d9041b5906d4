import type { Result } from '@understudy/client/methods'
import type { Address } from '@understudy/evm'
import { z } from 'zod'
import { Address as AddressCodec } from '../../../rpc/codecs/hex.ts'
import { Tags } from '../../../rpc/codecs/names.ts'
import { optional } from '../../../rpc/codecs/optional.ts'
import { NetworkError } from '../../../shared/errors.ts'
import { decodeFields, listFrom, pageFrom, VnetChainId } from '../fields.ts'
import { projectPath, type RestNetwork, type RestRequest, type RestRoute } from '../route.ts'

type Workspace = Result<'dev_getWorkspaces'>[number] & { address: Address }

type AccountType = 'contract' | 'unverified_contract' | 'wallet'
type AccountAddress = { address: Address; network_id: string }
type Account = {
  id: string
  account_type: AccountType
  display_name?: string
  tags: { tag: string }[]
  added_at: string
} & ({ contract: AccountAddress } | { account: AccountAddress })

/** How many accounts an answer has by default: clients ask for all at once. */
const perPageDefault = 100
/** How many networks a request may name. */
const networkLimit = 20

const label = optional(z.string().trim().max(200, { error: 'has more than 200 characters' }))
const Added = z.looseObject({ network_id: VnetChainId, address: AddressCodec, display_name: label })
const Renamed = z.looseObject({
  display_name: z.string().trim().min(1, { error: 'is empty' }).max(200, { error: 'has more than 200 characters' }),
})
const AddedWallet = z.looseObject({
  address: AddressCodec,
  display_name: label,
  network_ids: z
    .array(VnetChainId)
    .min(1, { error: 'is empty; name a network' })
    .max(20, { error: 'has more than 20' }),
})
const AccountIds = z.array(z.string()).min(1, { error: 'is empty' }).max(100, { error: 'has more than 100' })
const Tagged = z.looseObject({ contract_ids: AccountIds, tag: z.string() })
const Removed = z.looseObject({ account_ids: AccountIds })

/** `GET /v2/accounts/{account}/projects/{project}/accounts` */
const list: RestRoute = {
  method: 'GET',
  paths: ['/v2/accounts/:account/projects/:project/accounts'],
  role: 'read',
  async answer(request) {
    const { query, network } = request
    const asked = [...new Set(listFrom(query, 'networkIDs'))]
    if (asked.length > networkLimit)
      throw new NetworkError('INVALID_PARAMS', { field: 'networkIDs', problem: `has more than ${networkLimit}` })
    const networks = new Map<RestNetwork, string>()
    for (const id of asked) {
      const found = await request.ofChain(decodeFields(VnetChainId, id, 'networkIDs')).catch(skipUnknown)
      if (found) networks.set(found, id)
    }
    if (asked.length === 0) networks.set(network, await chainIdOf(network))
    const accounts: Account[] = []
    for (const [found, id] of networks) accounts.push(...(await accountsOf(found, id, query)))
    return { accounts }
  },
}

/** `POST …/address` */
const add: RestRoute = {
  method: 'POST',
  paths: [`${projectPath}/address`],
  role: 'admin',
  async answer({ body, ofChain }) {
    const { network_id: id, address, display_name: name } = decodeFields(Added, body)
    const network = await ofChain(id)
    return encodeAccount(await addTo(network, address, name), id.toString(), network)
  },
}

/** `POST …/wallet`. One that is there already is answered as well. */
const addWallet: RestRoute = {
  method: 'POST',
  paths: [`${projectPath}/wallet`],
  role: 'admin',
  async answer({ body, ofChain }) {
    const { network_ids: ids, address, display_name: name } = decodeFields(AddedWallet, body)
    const accounts: Account[] = []
    for (const id of ids) {
      const network = await ofChain(id)
      accounts.push(await encodeAccount(await addTo(network, address, name), id.toString(), network))
    }
    return accounts
  },
}

/** `POST …/contract/{networkId}/{address}/rename` */
const rename: RestRoute = {
  method: 'POST',
  paths: [`${projectPath}/contract/:networkId/:address/rename`],
  role: 'admin',
  async answer(request) {
    const { display_name: name } = decodeFields(Renamed, request.body)
    const { network, id, address } = await addressIn(request)
    await requireWorkspaces(network, address)
    return encodeAccount(await addTo(network, address, name), id, network)
  },
}

/** `DELETE …/contract/{networkId}/{address}` */
const remove: RestRoute = {
  method: 'DELETE',
  paths: [`${projectPath}/contract/:networkId/:address`],
  role: 'admin',
  async answer(request) {
    const { network, address } = await addressIn(request)
    await removeFrom(network, address)
    return undefined
  },
}

/** `DELETE …/contracts` */
const removeSeveral: RestRoute = {
  method: 'DELETE',
  paths: [`${projectPath}/contracts`],
  role: 'admin',
  async answer({ body, ofChain }) {
    const { account_ids: ids } = decodeFields(Removed, body)
    for (const { chainId, address } of ids.map((id) => accountFrom(id, 'account_ids')))
      await removeFrom(await ofChain(chainId), address)
    return undefined
  },
}

/** `POST …/tag` */
const tag: RestRoute = {
  method: 'POST',
  paths: [`${projectPath}/tag`],
  role: 'admin',
  async answer({ body, ofChain }) {
    const { contract_ids: ids, tag } = decodeFields(Tagged, body)
    const tags = decodeFields(Tags, [tag], 'tag')
    for (const { chainId, address } of ids.map((id) => accountFrom(id, 'contract_ids'))) {
      const network = await ofChain(chainId)
      await requireWorkspaces(network, address)
      await network.call('dev_addTags', address, tags)
    }
    return { tag: { tag } }
  },
}

/** Contracts and wallets of a project, which are the workspaces of the network. */
export const accountRoutes: readonly RestRoute[] = [list, add, addWallet, rename, remove, removeSeveral, tag]

const chainIdOf = async ({ call }: RestNetwork) => BigInt(await call<string>('eth_chainId')).toString()

/** Of a chain that the server does not have, there are no accounts. */
function skipUnknown(error: unknown): undefined {
  if (error instanceof NetworkError && error.kind === 'INVALID_PARAMS') return undefined
  throw error
}

async function addressIn({ params, ofChain }: RestRequest) {
  const chainId = decodeFields(VnetChainId, params.networkId, 'networkId')
  return {
    network: await ofChain(chainId),
    id: chainId.toString(),
    address: decodeFields(AddressCodec, params.address, 'address'),
  }
}

/** `eth:1:0x…` */
function accountFrom(id: string, field: string): { chainId: bigint; address: Address } {
  const [, chainId, address] = /^eth:(\d{1,16}):(0x[\da-f]{40})$/i.exec(id) ?? []
  if (chainId === undefined)
    throw new NetworkError('INVALID_PARAMS', {
      field,
      problem: `expected ids such as eth:1:0x…, got ${JSON.stringify(id.slice(0, 100))}`,
    })
  return { chainId: decodeFields(VnetChainId, chainId, field), address: decodeFields(AddressCodec, address, field) }
}

/** What the user called a contract goes before the name that it was imported or verified with. */
async function workspacesOf({ call }: RestNetwork): Promise<Workspace[]> {
  const all = await call('dev_getWorkspaces')
  const located = all.filter((workspace): workspace is Workspace => workspace.address !== null)
  return located.sort((one, other) => Number(one.kind === 'manual') - Number(other.kind === 'manual'))
}

/** One for each address. */
const accountWorkspacesOf = async (network: RestNetwork): Promise<Workspace[]> => {
  const found = new Map<Address, Workspace>()
  for (const workspace of await workspacesOf(network))
    if (!found.has(workspace.address)) found.set(workspace.address, workspace)
  return [...found.values()]
}

const workspacesAt = async (network: RestNetwork, address: Address): Promise<Workspace[]> =>
  (await workspacesOf(network)).filter((workspace) => workspace.address === address)

/** Throws `NOT_FOUND`. */
async function requireWorkspaces(network: RestNetwork, address: Address): Promise<Workspace[]> {
  const found = await workspacesAt(network, address)
  if (found.length === 0) throw new NetworkError('NOT_FOUND', { resource: 'account of the project', id: address })
  return found
}

/** Without a name, its address is its name. */
async function addTo(network: RestNetwork, address: Address, name: string | undefined): Promise<Workspace> {
  const [known] = await workspacesAt(network, address)
  if (known && !name) return known
  await network.call('dev_addWorkspace', { name: name || address, address })
  const [added] = await requireWorkspaces(network, address)
  return added as Workspace
}

async function removeFrom(network: RestNetwork, address: Address): Promise<void> {
  for (const { id } of await requireWorkspaces(network, address)) await network.call('dev_removeWorkspace', id)
  await network.call('dev_removeTags', address)
}

async function accountsOf(network: RestNetwork, networkId: string, query: RestRequest['query']): Promise<Account[]> {
  const addresses = new Set(listFrom(query, 'addresses').map((address) => address.toLowerCase()))
  const names = new Set(listFrom(query, 'display_names').filter(Boolean))
  const wantedTags = listFrom(query, 'tags').filter(Boolean)
  const types = new Set(listFrom(query, 'types'))
  const { page, perPage } = pageFrom(query, perPageDefault)
  const tagsOf = await loadTags(network)
  const isWallet = ({ kind }: Workspace) => kind === 'wallet'
  const likely = (await accountWorkspacesOf(network)).filter(
    (workspace) =>
      (addresses.size === 0 || addresses.has(workspace.address)) &&
      (names.size === 0 || names.has(workspace.name)) &&
      (wantedTags.length === 0 || wantedTags.some((tag) => tagsOf.get(workspace.address)?.includes(tag))) &&
      (types.size === 0 ||
        (isWallet(workspace) ? types.has('wallet') : types.has('contract') || types.has('unverified_contract'))),
  )
  // Together, as explorers may be asked for each.
  const accounts = await Promise.all(
    likely
      .slice((page - 1) * perPage, page * perPage)
      .map((workspace) => encodeAccount(workspace, networkId, network, tagsOf)),
  )
  return accounts.filter(({ account_type: type }) => types.size === 0 || types.has(type))
}

const loadTags = async ({ call }: RestNetwork) =>
  new Map((await call('dev_getTags')).map(({ address, tags }) => [address as Address, tags]))

async function encodeAccount(
  workspace: Workspace,
  networkId: string,
  network: RestNetwork,
  tags?: ReadonlyMap<Address, readonly string[]>,
): Promise<Account> {
  const { address, kind, name, createdAt } = workspace
  const type = kind === 'wallet' ? 'wallet' : await contractTypeOf(workspace, network)
  const located: AccountAddress = { address, network_id: networkId }
  return {
    id: `eth:${networkId}:${address}`,
    account_type: type,
    ...(name !== address && { display_name: name }),
    tags: ((tags ?? (await loadTags(network))).get(address) ?? []).map((tag) => ({ tag })),
    added_at: createdAt,
    ...(type === 'wallet' ? { account: located } : { contract: located }),
  }
}

async function contractTypeOf({ kind, address }: Workspace, { call }: RestNetwork): Promise<AccountType> {
  if (kind === 'manual') return 'contract'
  const { abi } = await call('dev_getContractAbi', address)
  return abi && abi.length > 0 ? 'contract' : 'unverified_contract'
}
