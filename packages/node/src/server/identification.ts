import type { FastifyReply, FastifyRequest } from 'fastify'
import { NetworkError } from '../shared/errors.ts'
import { mayDo, type Role } from '../shared/role.ts'
import type { Identity } from './access.ts'
import { type AccessControl, isRefusal, type Refusal } from './accessControl.ts'

/** Answers a refusal as an API does. */
export type AnswerRefusal = (reply: FastifyReply, refusal: Refusal) => FastifyReply

/** Who sends each request, found out before its body is read. */
export type Identification = {
  /** A hook of routes. `keyOf` answers a key that was given in another place than usual. */
  hook(
    answer: AnswerRefusal,
    keyOf?: (request: FastifyRequest) => string | undefined,
  ): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>
  /** Who sends a request of a route with that hook. */
  identityOf(request: FastifyRequest): Identity
  /** The same, `undefined` for other requests. */
  find(request: FastifyRequest): Identity | undefined
  /** Throws unless the sender may do this now: `UNAUTHORIZED`, `RATE_LIMITED`. */
  requireRole(request: FastifyRequest, role: Role): void
}

export function createIdentification(accessControl: AccessControl): Identification {
  const identities = new WeakMap<FastifyRequest, Identity>()

  function identityOf(request: FastifyRequest): Identity {
    const identity = identities.get(request)
    if (!identity) throw new Error('The route has no hook that identifies')
    return identity
  }

  return {
    hook: (answer, keyOf) => async (request, reply) => {
      const { headers, url, ip } = request
      const key = headers['x-api-key'] ?? keyOf?.(request)
      const found = accessControl.identify({ headers: { ...headers, ...(key && { 'x-api-key': key }) }, url, ip })
      if (isRefusal(found)) return answer(reply.header('www-authenticate', 'Bearer'), found)
      identities.set(request, found)
      return undefined
    },
    identityOf,
    find: (request) => identities.get(request),
    requireRole(request, role) {
      const identity = identityOf(request)
      if (!mayDo(identity.role, role))
        throw new NetworkError('UNAUTHORIZED', {
          problem: `this needs a key with the role ${role}; this one has ${identity.role}`,
        })
      if (!identity.mayAsk()) throw new NetworkError('RATE_LIMITED', {})
    },
  }
}
