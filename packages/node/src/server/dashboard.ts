import { existsSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The build output of the dashboard; the same path from `src` and from `dist`. */
const folder = fileURLToPath(new URL('../../generated/dashboard', import.meta.url))

/** The page runs only its own scripts, and other pages cannot frame it. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self' ws: wss:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The headers of a file that a browser shows. An immutable one may be kept for ever. */
export const headersOf = ({ isImmutable }: { isImmutable: boolean }): Record<string, string> => ({
  'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  'x-content-type-options': 'nosniff',
  'content-security-policy': contentSecurityPolicy,
})

export type Dashboard = {
  /** Whether it is a page that a request asks for. */
  wants(request: FastifyRequest): boolean
  /** Sends the page, which shows content according to its URL. */
  send(reply: FastifyReply): FastifyReply
}

/** Whether a person opens or reloads a page of the dashboard. */
export const isPage = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/html')

/** Serves the files of the dashboard. Routes send the page themselves. */
export function serveDashboard(server: FastifyInstance): Dashboard {
  const isBuilt = existsSync(join(folder, 'index.html'))
  if (isBuilt)
    server.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      index: false,
      wildcard: false,
      globIgnore: ['**/*.{gz,br}', '**/.*'],
      // Files under assets/ have a digest in their name.
      setHeaders: (reply, path) => {
        for (const [name, value] of Object.entries(headersOf({ isImmutable: path.includes('/assets/') })))
          reply.header(name, value)
      },
    })
  return {
    wants: (request) => isBuilt && isPage(request),
    send: (reply) => reply.sendFile('index.html'),
  }
}
