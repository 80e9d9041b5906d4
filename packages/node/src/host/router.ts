import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { internalPath } from '../cluster/internalCalls.ts'
import { encodeError } from '../rpc/encode/error.ts'
import type { AccessControl } from '../server/accessControl.ts'
import { isRefusal } from '../server/accessControl.ts'
import { crossOriginHeaders, isPreflight } from '../server/crossOrigin.ts'
import { refuse } from '../server/refusal.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import type { AwakeNetworks, Use } from './awakeNetworks.ts'
import type { HostNetworks, KnownNetwork } from './networks.ts'

/** A network's name in a path, and the path within the network. */
export type Target = { name: string; path: string }

type Needs = { networks: HostNetworks; awake: AwakeNetworks; accessControl: AccessControl; logger: Logger }

/** What is answered without waking a network. */
const observed = /^\/(?:health|metrics)(?:\?|$)/
/** What is answered without a key. */
const open = /^\/health(?:\?|$)/

/** Passes requests on to the network that their path names, as that network would get them on a port of its own. */
export function createRouter({ networks, awake, accessControl, logger }: Needs) {
  /** Finds the network for a caller; a key that may not use it is told that there is none. */
  async function find({ name, path }: Target, request: IncomingMessage): Promise<KnownNetwork> {
    const isOfNode = path === internalPath
    const isPublic = isOfNode || open.test(path) || isPreflight(request)
    const { headers, method } = request
    const found = accessControl.check({ headers, url: path, raw: request, ...(method !== undefined && { method }) })
    if (found && !isOfNode) throw found.error
    const key = headers['x-api-key'] ?? /[?&]apikey=([^&]+)/i.exec(path)?.[1]
    const caller = isPublic
      ? undefined
      : accessControl.identify({
          headers: { ...headers, ...(key !== undefined && { 'x-api-key': key }) },
          url: path,
          ip: request.socket.remoteAddress,
        })
    if (caller && isRefusal(caller)) throw caller.error
    const network = await networks.find(name, caller)
    if (!network) throw new NetworkError('HOSTED_NETWORK_NOT_FOUND', { name: name.slice(0, 40) })
    return network
  }

  /** Keeps the network awake until the connection's part that is used is closed. */
  async function wake(network: KnownNetwork, used: ServerResponse | Duplex): Promise<Use | undefined> {
    const cut = () => ('socket' in used ? used.socket : used)?.destroy()
    const use = await awake.use(network, cut)
    if (used.destroyed) {
      use.release()
      return undefined
    }
    used.once('close', use.release)
    return use
  }

  function refusal(error: unknown, name: string): { status: number; text: string } {
    if (!(error instanceof NetworkError)) {
      logger.error({ err: error, network: name }, 'Could not pass on a request')
      return {
        status: 500,
        text: encodeError(new NetworkError('HOSTED_NETWORK_UNAVAILABLE', { name, problem: 'see the log' })),
      }
    }
    if (error.kind === 'UNAUTHORIZED') return { status: 401, text: encodeError(error) }
    if (error.kind === 'HOSTED_NETWORK_NOT_FOUND') return { status: 404, text: encodeError(error) }
    if (error.kind === 'AWAKE_NETWORK_LIMIT_EXCEEDED') return { status: 503, text: encodeError(error) }
    if (error.kind === 'INVALID_REQUEST') return { status: 403, text: encodeError(error) }
    const opened = new NetworkError('HOSTED_NETWORK_UNAVAILABLE', { name, problem: error.message }, { cause: error })
    return { status: 503, text: encodeError(opened) }
  }

  const sendJson = (request: IncomingMessage, response: ServerResponse, status: number, text: string) =>
    response.writeHead(status, { ...crossOriginHeaders(request), 'content-type': 'application/json' }).end(text)

  return {
    targetOf({ url = '' }: IncomingMessage): Target | undefined {
      if (!url.startsWith('/n/')) return undefined
      const end = url.slice(3).search(/[/?]/)
      const name = end < 0 ? url.slice(3) : url.slice(3, 3 + end)
      const path = end < 0 ? '' : url.slice(3 + end)
      return { name, path: path.startsWith('/') ? path : `/${path}` }
    },

    async pass(target: Target, request: IncomingMessage, response: ServerResponse): Promise<void> {
      try {
        const network = await find(target, request)
        const isObserved = observed.test(target.path) || isPreflight(request)
        const node = isObserved ? awake.peek(network) : (await wake(network, response))?.node
        if (!node) {
          if (isPreflight(request)) response.writeHead(204, crossOriginHeaders(request)).end()
          else if (isObserved) sendJson(request, response, 200, JSON.stringify({ status: 'asleep' }))
          return
        }
        request.url = target.path
        node.http.emit('request', request, response)
      } catch (error) {
        const { status, text } = refusal(error, target.name)
        sendJson(request, response, status, `{"jsonrpc":"2.0","id":null,"error":${text}}`)
      }
    },

    async passUpgrade(target: Target, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      socket.on('error', () => {})
      try {
        const use = await wake(await find(target, request), socket)
        if (!use) return
        request.url = target.path
        use.node.http.emit('upgrade', request, socket, head)
      } catch (error) {
        const { status, text } = refusal(error, target.name)
        refuse(socket, status, text)
      }
    },
  }
}
