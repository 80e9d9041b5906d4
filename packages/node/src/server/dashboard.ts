import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Where the build puts the dashboard: at the same place seen from `src` and from `dist`. */
const folder = fileURLToPath(new URL('../../generated/dashboard', import.meta.url))

/** The page runs only what came with it, and no other page may frame it. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self' ws: wss:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export type Dashboard = {
  /** Whether a request is a person's, who opens or reloads any page of the dashboard. */
  wants(request: FastifyRequest): boolean
  /** Answers the page. It finds out from its address what to show. */
  send(reply: FastifyReply): FastifyReply
}

/** Serves the files of the dashboard. Its page is sent by whoever owns the address. */
export function serveDashboard(server: FastifyInstance): Dashboard {
  const isBuilt = existsSync(join(folder, 'index.html'))
  if (isBuilt)
    server.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      index: false,
      wildcard: false,
      globIgnore: ['**/*.{gz,br}', '**/.*'],
      // Files under assets/ carry their digest in their name.
      setHeaders: (reply, path) => {
        const isImmutable = path.includes('/assets/')
        reply.header('cache-control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
        reply.header('x-content-type-options', 'nosniff')
        reply.header('content-security-policy', contentSecurityPolicy)
      },
    })
  return {
    wants: ({ method, headers }) => isBuilt && method === 'GET' && (headers.accept ?? '').includes('text/html'),
    send: (reply) => reply.sendFile('index.html'),
  }
}
