import { NetworkError } from '../shared/errors.ts'
import { isLoopback, nameFromHostHeader } from '../shared/hostName.ts'

/**
 * Checks the `Host` header of a request. It may name this machine or an allowed host; any host if other machines can
 * reach the server and none was configured. Otherwise, a web page could resolve its own name to 127.0.0.1 and become
 * same-origin (DNS rebinding).
 */
export function createHostCheck({
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
