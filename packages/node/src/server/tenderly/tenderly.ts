import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Client } from '../../rpc/caller.ts'
import { invalid } from '../../rpc/dispatch/envelope.ts'
import { encodeLarge, encodeResult, isLarge } from '../../rpc/encode/result.ts'
import { CallBytes } from '../../shared/budget/messageBytes.ts'
import { NetworkError } from '../../shared/errors.ts'
import { isNestedDeeper, nestingLimit, requireFewValuesIn } from '../../shared/json/valueLimit.ts'
import { yieldToEventLoop } from '../../shared/yieldToEventLoop.ts'
import type { Identification } from '../identification.ts'
import { type RouteConfig, sendJson, takeAsJson } from '../replies.ts'
import { type NetworkNeeds, networksOf } from './networks.ts'
import { problemFrom, problemText, textOf } from './problem.ts'
import type { RestRequest, RestRoute } from './route.ts'
import { accountRoutes } from './routes/accounts.ts'
import { alertRoutes } from './routes/alerts.ts'
import { networkRoutes } from './routes/networks.ts'
import { refusedRoutes } from './routes/refused.ts'
import { simulationRoutes } from './routes/simulations.ts'
import { simulationV2Routes } from './routes/simulationsV2.ts'
import { verificationRoutes } from './routes/verification.ts'
import { vnetRoutes } from './routes/vnets.ts'
import { vnetTransactionRoutes } from './routes/vnetTransactions.ts'

type Needs = NetworkNeeds & {
  identification: Identification
  /** A route hook that identifies the sender. */
  identify: ReturnType<Identification['hook']>
  /** The sender of a request, for methods that are called for it. */
  clientOf(request: FastifyRequest, reply: FastifyReply, answerLimit: number): Client
  bodyLimit: number
  /** The most bytes of the answers to a request. */
  answerLimit: number
  /** How long a client may read no part of an answer, in milliseconds. */
  unreadMs: number
}

/** All routes, in the order of the documentation. */
const routes: readonly RestRoute[] = [
  ...simulationRoutes,
  ...simulationV2Routes,
  ...networkRoutes,
  ...vnetRoutes,
  ...vnetTransactionRoutes,
  ...accountRoutes,
  ...verificationRoutes,
  ...alertRoutes,
  ...refusedRoutes,
]

/** With and without the prefix of Tenderly's own address. */
const prefixes = ['', '/api'] as const
/** Everything below is answered in Tenderly's form, what is not found as well. */
const roots = ['/v1', '/v2', '/public/v1'] as const

/**
 * The most bytes that methods answer for one request, together with what is made of it: they are parsed and converted, which is not done
 * in slices.
 */
const answersLimit = 24 * 1024 * 1024

/** Parsing larger bodies takes milliseconds, in characters. */
const largeBody = 200_000

/**
 * Tenderly's REST interface: each route calls methods through the dispatcher, as the sender. Bodies are converted, not
 * checked, where a method checks them. https://docs.tenderly.co/reference/api
 */
export function serveTenderly(server: FastifyInstance, needs: Needs): void {
  const { identification, identify, clientOf, bodyLimit, answerLimit, unreadMs } = needs

  async function answer(route: RestRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    identification.requireRole(request, route.role)
    const body = String(request.body ?? '')
    if (body.length > largeBody) await yieldToEventLoop()
    const client = clientOf(request, reply, Math.min(answerLimit, answersLimit))
    const params = request.params as Record<string, string>
    const { ofProject, ofChain, ...networks } = networksOf(needs, { request, reply, client })
    const network = await ofProject(params.project)
    const answered = await route.answer({
      params,
      query: request.query as RestRequest['query'],
      body: jsonFrom(body),
      ...{ ...networks, network },
      ofChain: (chainId) => ofChain(chainId, network),
    })
    // Disconnects a client that reads no part of an answer for this long.
    reply.raw.setTimeout(unreadMs)
    if (answered === undefined) return reply.code(204).send()
    const bytes = new CallBytes(client.bytes)
    const text = isLarge(answered) ? await encodeLarge(answered, bytes) : encodeResult(answered, bytes)
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
