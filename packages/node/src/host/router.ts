import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { internalPath } from '../cluster/internalCalls.ts'
import { encodeError } from '../rpc/encode/error.ts'
import type { NetworkCaller } from '../rpc/services.ts'
import type { AccessControl } from '../server/accessControl.ts'
import { isRefusal } from '../server/accessControl.ts'
import { crossOriginHeaders, isPreflight } from '../server/crossOrigin.ts'
import { refuse } from '../server/refusal.ts'
import { itself, problemText } from '../server/tenderly/problem.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import type { AwakeNetworks, Use } from './awakeNetworks.ts'
import type { HostNetworks, KnownNetwork } from './networks.ts'

/** A network's name in a path, and the path within the network. Those of Tenderly's REST interface are the same within it. */
export type Target = { name: string; path: string; isRest?: true }

type Needs = { networks: HostNetworks; awake: AwakeNetworks; accessControl: AccessControl; logger: Logger }

/** What is answered without waking a network. */
const observed = /^\/(?:health|metrics)(?:\?|$)/
/** What is answered without a key. */
const open = /^\/health(?:\?|$)/

/** Paths of Tenderly's REST interface, which name a network as a project, or none. */
const rest = /^(?:\/api)?\/(?:public\/)?v[12]\//
const project = /^[^?]*?\/projects?\/([^/?]+)/

function restTarget(url: string): Target | undefined {
  if (!rest.test(url)) return undefined
  return { name: decoded(project.exec(url)?.[1] ?? itself), path: url, isRest: true }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Passes requests on to the network that their path names, as that network would get them on a port of its own. */
export function createRouter({ networks, awake, accessControl, logger }: Needs) {
  /** Finds the network for a caller; a key that may not use it is told that there is none. */
  async function find({ name, path, isRest }: Target, request: IncomingMessage): Promise<KnownNetwork> {
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
          network: name,
        })
    if (caller && isRefusal(caller)) throw caller.error
    const network = (await networks.find(name, caller)) ?? (isRest && name === itself ? await first(caller) : undefined)
    if (!network) throw new NetworkError('HOSTED_NETWORK_NOT_FOUND', { name: name.slice(0, 40) })
    return network
  }

  /** The network that looks for others, by the chain that a request names. */
  const first = async (caller: NetworkCaller | undefined) => caller && (await networks.known(caller))[0]

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

  function refusal(error: unknown, name: string): { status: number; error: NetworkError } {
    if (!(error instanceof NetworkError)) {
      logger.error({ err: error, network: name }, 'Could not pass on a request')
      return { status: 500, error: new NetworkError('HOSTED_NETWORK_UNAVAILABLE', { name, problem: 'see the log' }) }
    }
    if (error.kind === 'UNAUTHORIZED') return { status: 401, error }
    if (error.kind === 'HOSTED_NETWORK_NOT_FOUND') return { status: 404, error }
    if (error.kind === 'AWAKE_NETWORK_LIMIT_EXCEEDED') return { status: 503, error }
    if (error.kind === 'INVALID_REQUEST') return { status: 403, error }
    const opened = new NetworkError('HOSTED_NETWORK_UNAVAILABLE', { name, problem: error.message }, { cause: error })
    return { status: 503, error: opened }
  }

  const sendJson = (request: IncomingMessage, response: ServerResponse, status: number, text: string) =>
    response.writeHead(status, { ...crossOriginHeaders(request), 'content-type': 'application/json' }).end(text)

  return {
    targetOf({ url = '' }: IncomingMessage): Target | undefined {
      if (!url.startsWith('/n/')) return restTarget(url)
      const end = url.slice(3).search(/[/?]/)
      const name = end < 0 ? url.slice(3) : url.slice(3, 3 + end)
      const path = end < 0 ? '' : url.slice(3 + end)
      return { name, path: path.startsWith('/') ? path : `/${path}` }
    },

    async pass(target: Target, request: IncomingMessage, response: ServerResponse): Promise<void> {
      try {
        if (target.isRest && isPreflight(request)) {
          response.writeHead(204, crossOriginHeaders(request)).end()
          return
        }
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
        const refused = refusal(error, target.name)
        const text = target.isRest
          ? problemText(refused.error, refused.status)
          : `{"jsonrpc":"2.0","id":null,"error":${encodeError(refused.error)}}`
        sendJson(request, response, refused.status, text)
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
        const refused = refusal(error, target.name)
        refuse(socket, refused.status, encodeError(refused.error))
      }
    },
  }
}
