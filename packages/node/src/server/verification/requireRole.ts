import type { FastifyRequest } from 'fastify'
import { NetworkError } from '../../shared/errors.ts'
import { mayDo, type Role } from '../../shared/role.ts'
import { type Door, isRefusal } from '../door.ts'

/** Throws unless whoever asks may do this: `UNAUTHORIZED`, `RATE_LIMITED`. `key` is one that was given in another place than usual. */
export type RequireRole = (request: FastifyRequest, role: Role, key?: string) => void

export function createRequireRole(door: Door): RequireRole {
  return ({ headers, url }, role, key) => {
    const given = headers['x-api-key'] ?? key
    const identity = door.identify({ headers: { ...headers, ...(given && { 'x-api-key': given }) }, url })
    if (isRefusal(identity)) throw identity.error
    if (!mayDo(identity.role, role))
      throw new NetworkError('UNAUTHORIZED', {
        problem: `this needs a key with the role ${role}; this one has ${identity.role}`,
      })
    if (!identity.mayAsk()) throw new NetworkError('RATE_LIMITED', {})
  }
}
