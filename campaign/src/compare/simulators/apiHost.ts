import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls, { type ConnectionOptions } from 'node:tls'
import { createCertificate } from '@understudy/testkit'

/** The host that clients of Tenderly have in their code. */
export const apiHost = 'api.tenderly.co'

export type ApiHost = { forwardTo(url: string): void; stop(): Promise<void> }

/**
 * A TLS endpoint named `api.tenderly.co` in front of a network, for this process: connections to that name reach it, and
 * its certificate is verified. Connections to any other machine are refused, so that nothing leaves this one.
 */
export async function startApiHost(): Promise<ApiHost> {
  const directory = mkdtempSync(join(tmpdir(), 'understudy-tls-'))
  const { key, cert, authority } = await createCertificate(directory, apiHost)
  let target = ''
  const server = createServer({ key, cert }, (incoming, outgoing) => {
    const { hostname, port } = new URL(target)
    const headers = { ...incoming.headers, host: `${hostname}:${port}`, 'x-forwarded-proto': 'https' }
    const forwarded = request({ hostname, port, method: incoming.method, path: incoming.url, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    forwarded.on('error', (error) => outgoing.destroy(error))
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const restore = redirect(port, readFileSync(authority, 'utf8'))
  return {
    forwardTo(url) {
      target = url
    },
    async stop() {
      restore()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Sends this process's TLS connections to the port. Both `fetch` and `node:https` open theirs by `tls.connect`. */
function redirect(port: number, ca: string): () => void {
  const { connect } = tls
  const redirected = (options: ConnectionOptions, ...rest: (() => void)[]) => {
    const name = options.servername ?? options.host
    if (name !== apiHost) throw new Error(`A connection to ${name} was refused: simulations stay on this machine`)
    return connect({ ...options, host: '127.0.0.1', port, ca, servername: apiHost }, ...rest)
  }
  tls.connect = redirected as typeof connect
  return () => {
    tls.connect = connect
  }
}
