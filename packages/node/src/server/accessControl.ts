import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import { type Access, type Identity, keyFrom } from './access.ts'
import { createOriginCheck } from './crossOrigin.ts'
import { createHostCheck } from './hostCheck.ts'

export type AccessControlOptions = {
  host: string
  /** Additional host names by which clients may address a loopback server. */
  allowedHosts: readonly string[]
  /** Additional origins of web pages that may use the network; `*` for any. */
  allowedOrigins: readonly string[]
}

export type Refusal = { status: 400 | 401 | 403 | 404 | 503; error: NetworkError }

type Request = {
  method?: string | undefined
  headers: IncomingHttpHeaders
  url: string
  /** As it came: of a header that comes twice, `headers` may have only one. Absent where none may. */
  raw?: Pick<IncomingMessage, 'rawHeaders'> | undefined
  /** The client's address. */
  ip?: string | undefined
}

/** Access control for HTTP and WebSocket. */
export type AccessControl = {
  /** Checks the host and origin of a request. */
  check(request: Request): Refusal | undefined
  /** Identifies the caller. */
  identify(request: Request): Identity | Refusal
  /** Like `identify`, without side effects; `undefined` if access is refused. */
  recognise(request: Request): Identity | undefined
  /** The caller of the local socket. */
  local(): Identity
}

type Needs = {
  access: Access
  /** Called for each unknown key, with the client's address. */
  onUnknownKey?: (from: string | undefined) => void
}

export function createAccessControl(options: AccessControlOptions, { access, onUnknownKey }: Needs): AccessControl {
  const checkHost = createHostCheck(options)
  const checkOrigin = createOriginCheck(options.allowedOrigins)
  return {
    local: access.local,
    check(request) {
      // A proxy in front may have looked at the other one (RFC 9112, section 3.2).
      if (request.raw && hasTwoHosts(request.raw))
        return {
          status: 400,
          error: new NetworkError('INVALID_REQUEST', { problem: 'it has more than one Host header; send one' }),
        }
      const error = checkHost(request.headers.host) ?? checkOrigin(request)
      return error && { status: 403, error }
    },
    recognise(request) {
      try {
        return access.identify(request)
      } catch (error) {
        if (!isNetworkError(error, 'UNAUTHORIZED')) throw error
        return undefined
      }
    },
    identify(request) {
      try {
        return access.identify(request)
      } catch (error) {
        if (!isNetworkError(error, 'UNAUTHORIZED')) throw error
        if (keyFrom(request) !== undefined) onUnknownKey?.(request.ip)
        return { status: 401, error }
      }
    },
  }
}

const hasTwoHosts = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>) =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length > 1

export function isRefusal(found: Identity | Refusal): found is Refusal {
  return 'error' in found
}
