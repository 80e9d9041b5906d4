import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import { isLoopback, nameFromHostHeader } from '../shared/urls.ts'
import { type Access, type Identity, keyFrom } from './access.ts'
import { createOriginCheck } from './crossOrigin.ts'

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
  /** The name of the network that is asked, if the process has several and it is not known by who asks. */
  network?: string | undefined
}

/** Access control for HTTP and WebSocket. */
export type AccessControl = {
  /** Checks the host and origin of a request. */
  check(request: Request): Refusal | undefined
  /** Identifies the caller. */
  identify(request: Request): Identity | Refusal
  /** Like `identify`, without side effects; `undefined` if access is refused. */
  recognise(request: Request): Identity | undefined
  keysFor: Access['keysFor']
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
    keysFor: access.keysFor,
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

/**
 * Checks the `Host` header of a request. It may name this machine or an allowed host; any host if other machines can
 * reach the server and none was configured. Otherwise, a web page could resolve its own name to 127.0.0.1 and become
 * same-origin (DNS rebinding).
 */
function createHostCheck({
  host,
  allowedHosts,
}: {
  host: string
  allowedHosts: readonly string[]
}): (header: string | undefined) => NetworkError | undefined {
  const allowed = new Set(allowedHosts.map(nameFromHostHeader))
  return (header) => {
    if ((!isLoopback(host) && allowed.size === 0) || header === undefined) return undefined
    const name = nameFromHostHeader(header)
    if (isLoopback(name) || allowed.has(name)) return undefined
    const problem = `the host name ${JSON.stringify(name.slice(0, 100))} is not this machine's. Start with --allowed-host to allow it`
    return new NetworkError('UNAUTHORIZED', { problem })
  }
}
