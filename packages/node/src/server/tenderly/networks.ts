import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Client } from '../../rpc/caller.ts'
import type { Dispatcher } from '../../rpc/dispatch/dispatch.ts'
import { methodCalls } from '../../rpc/dispatch/methodCalls.ts'
import type { Services } from '../../rpc/services.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { AccessControl } from '../accessControl.ts'
import { itself } from './problem.ts'
import type { RestNetwork, UsedNetwork, UseNetwork, WantedNetwork } from './route.ts'

export type NetworkNeeds = {
  dispatcher: Dispatcher
  /** That of a branch, until the request is answered. Throws `BRANCH_NOT_FOUND`. */
  dispatcherOf(branch: string, reply: FastifyReply): Promise<Dispatcher>
  accessControl: Pick<AccessControl, 'keysFor'>
  services: Pick<Services, 'branches'>
  /** Where the sender of a request reaches the network. */
  baseUrl(request: FastifyRequest): string
  /** Opens another network of the process, if it serves several. */
  useNetwork: UseNetwork | undefined
}

type Asked = { request: FastifyRequest; reply: FastifyReply; client: Client }

/** A network with its branches; `network` is its name if it is another one of the process. */
type Opened = Pick<UsedNetwork, 'dispatcher' | 'useBranch'> & {
  project: string
  hosted: string | undefined
  url: string
  network?: string
  nameOf?(branch: string): string | undefined
}

/** The networks that a request may name. */
export function networksOf(needs: NetworkNeeds, { request, reply, client }: Asked) {
  const { dispatcher, dispatcherOf, services, useNetwork, accessControl } = needs
  const find = (idOrName: string) =>
    services.branches.list().find(({ id, name }) => name === idOrName || id === idOrName)

  /** Until the request is answered. */
  function hold({ release }: { release(): void }): void {
    reply.raw.once('close', release)
    if (reply.raw.closed) release()
  }

  function networkOf({ dispatcher, useBranch, project, hosted, url, network, nameOf }: Opened): RestNetwork {
    const scope = network === undefined ? {} : { network }
    const branch = async (idOrName: string): Promise<RestNetwork> => {
      const name = nameOf?.(idOrName) ?? idOrName
      const used = await useBranch(idOrName, () => {})
      hold(used)
      return {
        ...methodCalls(used.dispatcher, client),
        ...{ project: name, hosted: undefined, url: `${url}/n/${encodeURIComponent(name)}` },
        ...{ keys: accessControl.keysFor(request, { ...scope, branch: name }), branch },
      }
    }
    const keys = accessControl.keysFor(request, { ...scope, branch: '' })
    return { ...methodCalls(dispatcher, client), project, hosted, url, keys, branch }
  }

  const ownUrl = needs.baseUrl(request)
  const own = networkOf({
    ...{ dispatcher, project: itself, url: ownUrl, nameOf: (branch) => find(branch)?.name },
    hosted: useNetwork && /\/n\/([^/]*)$/.exec(ownUrl)?.[1],
    useBranch: async (branch) => ({ dispatcher: await dispatcherOf(branch, reply), release() {} }),
  })

  const urlOf = (network: string) => ownUrl.replace(/\/n\/[^/]*$/, `/n/${network}`)

  /** Another network of the process. */
  async function other(wanted: WantedNetwork): Promise<RestNetwork | undefined> {
    const used = await useNetwork?.(wanted, client)
    if (!used) return undefined
    hold(used)
    return networkOf({
      ...used,
      ...{ project: used.name, hosted: used.name, network: used.name, url: urlOf(used.name) },
    })
  }

  return {
    addressOf: (network: string) => ({
      url: urlOf(network),
      keys: accessControl.keysFor(request, { network, branch: '' }),
    }),

    async named(name: string): Promise<RestNetwork> {
      const found = name === own.hosted ? own : await other({ name })
      if (!found) throw new NetworkError('NOT_FOUND', { resource: 'network', id: name.slice(0, 100) })
      return found
    },

    async ofProject(project = itself): Promise<RestNetwork> {
      if (project === itself) return own
      if (find(project)) return own.branch(project)
      const found = await other({ name: project })
      if (!found) throw new NetworkError('NOT_FOUND', { resource: 'project', id: project.slice(0, 100) })
      return found
    },

    async *others(): AsyncIterable<RestNetwork> {
      if (!useNetwork) return
      const likely = (await own.call('dev_getNetworks')).filter(
        ({ name, state, origin }) =>
          !own.url.endsWith(`/n/${name}`) && (state === 'awake' || origin === 'configuration'),
      )
      for (const { name } of likely.sort((a, b) => Number(b.state === 'awake') - Number(a.state === 'awake'))) {
        const found = await other({ name })
        if (found) yield found
      }
    },

    async ofChain(chainId: bigint, network: RestNetwork): Promise<RestNetwork> {
      const here = BigInt(await network.call<string>('eth_chainId'))
      if (chainId === here) return network
      // A fork may have a chain id of its own.
      const { upstream } = await network.call('dev_getNetworkInfo')
      if (upstream && BigInt(upstream.chainId) === chainId) return network
      const found = await other({ chainId })
      if (!found)
        throw new NetworkError('INVALID_PARAMS', {
          field: 'network_id',
          problem: `this network is chain ${here}, not ${chainId}, and the server has no other network of that chain`,
        })
      return found
    },
  }
}
