import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Client } from '../../rpc/caller.ts'
import type { Dispatcher } from '../../rpc/dispatch/dispatch.ts'
import { invalid } from '../../rpc/dispatch/envelope.ts'
import { methodCalls } from '../../rpc/dispatch/methodCalls.ts'
import type { Services } from '../../rpc/services.ts'
import { NetworkError } from '../../shared/errors.ts'
import { isNestedDeeper, nestingLimit, requireFewValuesIn } from '../../shared/json/valueLimit.ts'
import { yieldToEventLoop } from '../../shared/yieldToEventLoop.ts'
import type { Identification } from '../identification.ts'
import { type RouteConfig, sendJson, takeAsJson } from '../replies.ts'
import { itself, problemFrom, problemText, textOf } from './problem.ts'
import type { RestNetwork, RestRequest, RestRoute, UseNetwork, WantedNetwork } from './route.ts'
import { networkRoutes } from './routes/networks.ts'

type Needs = {
  dispatcher: Dispatcher
  /** That of a branch, until the request is answered. Throws `BRANCH_NOT_FOUND`. */
  dispatcherOf(branch: string, reply: FastifyReply): Promise<Dispatcher>
  identification: Identification
  /** A route hook that identifies the sender. */
  identify: ReturnType<Identification['hook']>
  services: Pick<Services, 'branches'>
  /** The sender of a request, for methods that are called for it. */
  clientOf(request: FastifyRequest, reply: FastifyReply): Client
  /** Where the sender of a request reaches the network. */
  baseUrl(request: FastifyRequest): string
  /** Opens another network of the process, if it serves several. */
  useNetwork: UseNetwork | undefined
  bodyLimit: number
  /** How long a client may read no part of an answer, in milliseconds. */
  unreadMs: number
}

/** All routes, in the order of the documentation. */
const routes: readonly RestRoute[] = networkRoutes

/** With and without the prefix of Tenderly's own address. */
const prefixes = ['', '/api'] as const
/** Everything below is answered in Tenderly's form, what is not found as well. */
const roots = ['/v1', '/v2', '/public/v1'] as const

/** Parsing larger bodies takes milliseconds, in characters. */
const largeBody = 200_000

/**
 * Tenderly's REST interface: each route calls methods through the dispatcher, as the sender. Bodies are converted, not
 * checked, where a method checks them. https://docs.tenderly.co/reference/api
 */
export function serveTenderly(server: FastifyInstance, needs: Needs): void {
  const { identification, identify, clientOf, bodyLimit, unreadMs } = needs

  async function answer(route: RestRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    identification.requireRole(request, route.role)
    const body = String(request.body ?? '')
    if (body.length > largeBody) await yieldToEventLoop()
    const client = clientOf(request, reply)
    const params = request.params as Record<string, string>
    const { ofProject, ofChain } = networksOf(needs, { request, reply, client })
    const network = await ofProject(params.project)
    const answered = await route.answer({
      params,
      query: request.query as RestRequest['query'],
      body: jsonFrom(body),
      network,
      ofChain: (chainId) => ofChain(chainId, network),
    })
    // Disconnects a client that reads no part of an answer for this long.
    reply.raw.setTimeout(unreadMs)
    if (answered === undefined) return reply.code(204).send()
    const text = JSON.stringify(answered)
    client.bytes.answer(text.length)
    return sendJson(reply, route.status ?? 200, text)
  }

  const config: RouteConfig = { problemText }
  for (const prefix of prefixes) {
    for (const route of routes)
      for (const path of route.paths)
        server.route({
          ...{ method: route.method, url: prefix + path, bodyLimit, config, onRequest: [takeAsJson, identify] },
          handler: (request, reply) =>
            answer(route, request, reply).catch((error) => {
              const problem = problemFrom(error)
              if (!problem) throw error
              return sendJson(reply, problem.status, textOf(problem))
            }),
        })
    for (const root of roots)
      server.all(`${prefix}${root}/*`, {
        config,
        // The body is not read.
        onRequest: async (_request, reply) => sendJson(reply, 404, problemText(nothingHere(), 404)),
        handler: () => undefined,
      })
  }
}

const nothingHere = () =>
  new NetworkError('INVALID_REQUEST', { problem: 'nothing is at this path; docs/tenderly.md lists the paths' })

type Asked = { request: FastifyRequest; reply: FastifyReply; client: Client }

/** The networks that a request may name. */
function networksOf(needs: Needs, { request, reply, client }: Asked) {
  const { dispatcher, dispatcherOf, services, useNetwork } = needs
  const url = needs.baseUrl(request)
  const own = (): RestNetwork => ({ ...methodCalls(dispatcher, client), project: itself, url })
  /** Another network of the process, until the request is answered. */
  async function other(wanted: WantedNetwork): Promise<RestNetwork | undefined> {
    const used = await useNetwork?.(wanted, client)
    if (!used) return undefined
    reply.raw.once('close', used.release)
    if (reply.raw.closed) used.release()
    return {
      ...methodCalls(used.dispatcher, client),
      project: used.name,
      url: url.replace(/\/n\/[^/]*$/, `/n/${used.name}`),
    }
  }
  async function ofProject(project = itself): Promise<RestNetwork> {
    if (project === itself) return own()
    const branch = services.branches.list().find(({ id, name }) => name === project || id === project)
    if (branch) {
      const found = await dispatcherOf(branch.id, reply)
      return { ...methodCalls(found, client), project: branch.name, url: url + branch.path }
    }
    const found = await other({ name: project })
    if (!found) throw new NetworkError('NOT_FOUND', { resource: 'project', id: project.slice(0, 100) })
    return found
  }
  async function ofChain(chainId: bigint, network: RestNetwork): Promise<RestNetwork> {
    const here = BigInt(await network.call<string>('eth_chainId'))
    if (chainId === here) return network
    const found = await other({ chainId })
    if (!found)
      throw new NetworkError('INVALID_PARAMS', {
        field: 'network_id',
        problem: `this network is chain ${here}, not ${chainId}, and the server has no other network of that chain`,
      })
    return found
  }
  return { ofProject, ofChain }
}

/** The fields of a body. Throws for bodies that would take long to look at. */
function jsonFrom(text: string): Record<string, unknown> {
  if (text === '') return {}
  requireFewValuesIn(text, 'a request')
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new NetworkError('PARSE_ERROR', {})
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw invalid('expected an object as the body')
  if (isNestedDeeper(parsed)) throw invalid(`arrays and objects are nested more than ${nestingLimit} deep`)
  return parsed as Record<string, unknown>
}
