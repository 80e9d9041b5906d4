import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { headersOf } from './dashboard.ts'

/** The built documentation; the same path from `src` and from `dist`. */
const folder = fileURLToPath(new URL('../../generated/docs', import.meta.url))

const html = 'text/html; charset=utf-8'

const types: Record<string, string> = {
  '.html': html,
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

const documentationPath = /^\/docs(?:[/?]|$)/

/** Whether a request is for the documentation, which is the same for all networks and needs none of them. */
export const isForDocumentation = (method: string | undefined, path: string): boolean =>
  (method === 'GET' || method === 'HEAD') && documentationPath.test(path)

/** The page for an address that has no file. */
const notFoundPage = '404.html'

let names: ReadonlySet<string> | undefined

/** The names of all files that have an address: a path of a request is only looked up among them. */
function knownNames(): ReadonlySet<string> {
  names ??= new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !entry.name.startsWith(notFoundPage))
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/')),
  )
  return names
}

/** Serves the documentation at `/docs/`. Its pages link to each other by relative addresses, so it works below any path. */
export function serveDocumentation(server: FastifyInstance): void {
  const isBuilt = existsSync(folder)
  // Relative, because the path before it may name a network or belong to a proxy.
  server.get('/docs', (_request, reply) => reply.header('location', 'docs/').code(302).send())
  server.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    if (!isBuilt) {
      const text = 'The documentation is not built: run npm run build\n'
      return reply.code(404).type('text/plain; charset=utf-8').send(text)
    }
    const known = knownNames()
    const path = request.params['*']
    const name = [path, `${path}.html`, `${path}index.html`].find((each) => known.has(each) || known.has(`${each}.br`))
    reply.headers(headersOf({ isImmutable: name?.startsWith('assets/') ?? false }))
    if (name === undefined) return sendNotFound(reply, path)
    reply.type(types[extname(name)] ?? 'application/octet-stream')
    return known.has(name) ? reply.send(await readFile(join(folder, name))) : sendPacked(request, reply, name)
  })
}

/** In folders. From deeper addresses the links lead nowhere, so that the page stays small; pages are less than half as deep. */
const deepest = 8

/** Sends the page for a path that has no file. Its addresses begin at the root: here they are made relative to the path. */
async function sendNotFound(reply: FastifyReply, path: string): Promise<FastifyReply> {
  const depth = path.split('/').length - 1
  const start = '../'.repeat(Math.min(depth, deepest)) || './'
  const page = (await unpackFile(notFoundPage)).toString().replaceAll('="/', `="${start}`)
  return reply.code(404).type(html).send(page)
}

/** Files that were packed again for clients that do not take Brotli: all of them together have some 2 MB. */
const gzipped = new LRUCache<string, Buffer>({
  max: 1000,
  fetchMethod: async (name) => promisify(gzip)(await unpackFile(name)),
})

const packedFile = (name: string) => readFile(join(folder, `${name}.br`))
const unpackFile = async (name: string) => promisify(brotliDecompress)(await packedFile(name))

/** Sends what is stored as Brotli in an encoding that the client takes. Browsers take Brotli only from this machine and by HTTPS. */
async function sendPacked(request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  reply.header('vary', 'accept-encoding')
  if (/\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(await packedFile(name))
  if (!/\bgzip\b/.test(accepted)) return reply.send(await unpackFile(name))
  return reply.header('content-encoding', 'gzip').send(await gzipped.fetch(name))
}
