import type { FastifyReply, FastifyRequest } from 'fastify'
import { NetworkError } from '../shared/errors.ts'
import { mayDo, type Role } from '../shared/role.ts'
import type { Identity } from './access.ts'
import { type AccessControl, isRefusal, type Refusal } from './accessControl.ts'

/** Sends a refusal in the format of an API. */
export type AnswerRefusal = (reply: FastifyReply, refusal: Refusal) => FastifyReply

/** Identifies the sender of each request before its body is read. */
export type Identification = {
  /** A route hook. `keyOf` returns a key from where only this route allows one. */
  hook(
    answer: AnswerRefusal,
    keyOf?: (request: FastifyRequest) => string | undefined,
  ): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>
  /** The sender of a request to a route with that hook. */
  identityOf(request: FastifyRequest): Identity
  /** The same; `undefined` for other requests. */
  find(request: FastifyRequest): Identity | undefined
  /** Throws `UNAUTHORIZED` or `RATE_LIMITED` if the sender may not make this request now. */
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
