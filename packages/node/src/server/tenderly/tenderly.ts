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
import { problemFrom, problemText, textOf } from './problem.ts'
import type { RestNetwork, RestRequest, RestRoute } from './route.ts'
import { networkRoutes } from './routes/networks.ts'

type Needs = {
  dispatcher: Dispatcher
  /** That of a branch, until the request is answered. Throws `BRANCH_NOT_FOUND`. */
  dispatcherOf(branch: string, reply: FastifyReply): Promise<Dispatcher>
  identification: Identification
  /** A route hook that identifies the sender. */
  identify: ReturnType<Identification['hook']>
  services: Pick<Services, 'branches' | 'info'>
  /** The sender of a request, for methods that are called for it. */
  clientOf(request: FastifyRequest, reply: FastifyReply): Client
  /** Where the sender of a request reaches the network. */
  baseUrl(request: FastifyRequest): string
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
/** The name of the project that is the network itself. */
const itself = 'project'

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
    const network = networksOf(needs, { request, reply, client })
    const answered = await route.answer({
      params,
      query: request.query as RestRequest['query'],
      body: jsonFrom(body),
      ...network,
      network: await network.ofProject(params.project),
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
function networksOf({ dispatcher, dispatcherOf, services, baseUrl }: Needs, { request, reply, client }: Asked) {
  const url = baseUrl(request)
  const own = (): RestNetwork => ({ ...methodCalls(dispatcher, client), project: itself, url })
  return {
    async ofProject(project = itself): Promise<RestNetwork> {
      if (project === itself) return own()
      const branch = services.branches.list().find(({ id, name }) => name === project || id === project)
      if (!branch) throw new NetworkError('NOT_FOUND', { resource: 'project', id: project.slice(0, 100) })
      const found = await dispatcherOf(branch.id, reply)
      return { ...methodCalls(found, client), project: branch.name, url: url + branch.path }
    },
    async ofChain(chainId: bigint): Promise<RestNetwork> {
      const { chainId: here } = services.info()
      if (chainId === here) return own()
      throw new NetworkError('INVALID_PARAMS', {
        field: 'network_id',
        problem: `this network is chain ${here}, not ${chainId}`,
      })
    },
  }
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
