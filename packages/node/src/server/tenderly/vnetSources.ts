import type { Result } from '@understudy/client/methods'
import { NetworkError } from '../../shared/errors.ts'
import type { RestNetwork, RestRequest } from './route.ts'
import { encodeVnet, type Vnet, vnetIdOf } from './vnet.ts'

type Branch = Result<'dev_getBranches'>[number]
type Hosted = Result<'dev_getNetworks'>[number]

/** What is behind a vnet: a branch, or a network of `understudy serve` that is like another one. */
export type VnetSource = {
  id: string
  slug: string
  label: string | null
  /** Milliseconds since 1970. */
  createdAt: number
  /** The last block that it has of where it began; `undefined` if that is the live chain. */
  beganAt: bigint | undefined
  /** Whether it is meant by an id or a name. */
  isCalled(name: string): boolean
  open(): Promise<RestNetwork>
  describe(): Promise<Vnet>
  rename(names: { slug: string | undefined; label: string | undefined }): Promise<Vnet>
  remove(): Promise<void>
}

/** A branch of a network, or beside it. */
export function branchSource(branch: Branch, network: RestNetwork): VnetSource {
  const id = vnetIdOf(branch.id)
  return {
    ...{ id, slug: branch.name, label: branch.label },
    createdAt: Date.parse(branch.createdAt),
    beganAt: BigInt(branch.blockNumber),
    isCalled: (name) => name === id || name === branch.id || name === branch.name,
    open: () => network.branch(branch.name),
    async describe() {
      const { call, url, keys } = await network.branch(branch.name)
      const { chainId, upstream } = await call('dev_getNetworkInfo')
      return encodeVnet({
        ...{ id, slug: branch.name, label: branch.label, createdAt: branch.createdAt, block: branch.blockNumber },
        ...{ url, keys, chainId, networkId: upstream?.chainId ?? chainId },
        followsHead: upstream?.followsHead ?? false,
      })
    },
    async rename({ slug = branch.name, label }) {
      return branchSource(await network.call('dev_renameBranch', branch.id, slug, label), network).describe()
    },
    async remove() {
      await network.call('dev_removeBranch', branch.id)
    },
  }
}

/** A network that is not opened for what is said of it. `like`: the network whose live chain it forks. */
export function hostedSource(
  hosted: Hosted & { like: string },
  { network, named, addressOf }: Pick<RestRequest, 'network' | 'named' | 'addressOf'>,
): VnetSource {
  const { name, label, createdAt } = hosted
  const id = vnetIdOf(`${name} ${createdAt}`)
  const slug = slugOf(name)
  return {
    ...{ id, slug, label, beganAt: undefined },
    createdAt: createdAt === null ? 0 : Date.parse(createdAt),
    isCalled: (called) => called === id || called === name || called === slug,
    open: () => named(name),
    async describe() {
      const { chainId, upstream } = await (await named(hosted.like)).call('dev_getNetworkInfo')
      const networkId = upstream?.chainId ?? chainId
      return encodeVnet({
        ...{ id, slug, label, createdAt, networkId, ...addressOf(name) },
        block: hosted.forkBlockNumber === null ? 'latest' : `0x${hosted.forkBlockNumber.toString(16)}`,
        chainId: hosted.chainId ?? networkId,
        followsHead: hosted.forkBlockNumber === null && upstream !== null,
      })
    },
    async rename() {
      throw new NetworkError('UNSUPPORTED', {
        what: 'another name of a network of `understudy serve`, which is part of where it is stored. Fork it: its fork has a name of its own',
      })
    },
    async remove() {
      await network.call('dev_removeNetwork', name)
    },
  }
}

/** The names of networks have underscores where those of vnets have hyphens. */
const slugOf = (network: string) => network.replaceAll('_', '-')

/** The name of a network by its slug. Throws `INVALID_PARAMS` for a slug that cannot be one. */
export function networkNameOf(slug: string): string {
  if (!/^[a-z][a-z\d-]{0,39}$/.test(slug))
    throw new NetworkError('INVALID_PARAMS', {
      field: 'slug',
      problem:
        'expected 1 to 40 lower-case letters, digits and hyphens, beginning with a letter, of a vnet that forks an earlier block',
    })
  return slug.replaceAll('-', '_')
}

/** The vnets of a project: the branches of its network, and the networks of the process that are like others. Newest first. */
export async function vnetsOf(request: RestRequest): Promise<VnetSource[]> {
  const { network } = request
  const branches = await network.call('dev_getBranches')
  const all = [
    ...branches.map((branch) => branchSource(branch, network)),
    ...(await hostedOf(network)).map((hosted) => hostedSource(hosted, request)),
  ]
  return all.reverse().sort((a, b) => b.createdAt - a.createdAt)
}

async function hostedOf({ call, hosted }: RestNetwork): Promise<(Hosted & { like: string })[]> {
  if (hosted === undefined) return []
  return (await call('dev_getNetworks')).filter((each): each is Hosted & { like: string } => each.like !== null)
}

/** Of the project first, then the branches of other networks of the process. Throws `NOT_FOUND`. */
export async function findVnet(name: string, request: RestRequest): Promise<VnetSource> {
  const isCalled = (source: VnetSource) => source.isCalled(name)
  const found = (await vnetsOf(request)).find(isCalled)
  if (found) return found
  for await (const other of request.others()) {
    const branches = await other.call('dev_getBranches')
    const source = branches.map((branch) => branchSource(branch, other)).find(isCalled)
    if (source) return source
  }
  throw new NetworkError('NOT_FOUND', { resource: 'vnet', id: name.slice(0, 100) })
}

/** The vnet that a path names. Throws `NOT_FOUND`. */
export const requireVnet = (request: RestRequest): Promise<VnetSource> => findVnet(request.params.vnet ?? '', request)
