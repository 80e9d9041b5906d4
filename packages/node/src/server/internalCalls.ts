import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Dispatcher } from '../rpc/dispatch.ts'
import { internalHeaders, internalPath } from '../shared/internalCalls.ts'
import type { Role } from '../shared/role.ts'

/** What other nodes of the same network are answered by. */
export type Peers = {
  isSealer(): boolean
  /** What they have to show; `undefined` while nobody holds the lease. */
  secret(): string | undefined
  /** The number of the last transaction of this node. */
  revision(): number
}

/** Runs calls that came to other nodes, when this one seals. Their keys were looked at there. */
export function serveInternalCalls(
  server: FastifyInstance,
  { dispatcher, peers }: { dispatcher: Dispatcher; peers: Peers },
): void {
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) =>
    isPeer(request) ? undefined : reply.code(403).send('only nodes of the network may ask here')
  server.post(internalPath, { onRequest }, async (request, reply) => {
    if (!peers.isSealer()) return reply.code(409).send('this node does not seal')
    const { headers, body } = request
    const answer = await dispatcher.answer(String(body), {
      role: headers[internalHeaders.role] as Role,
      key: headers[internalHeaders.key] as string | undefined,
      mayAsk: () => true,
      subscriber: undefined,
      isForwarded: true,
      connection: request.raw.socket,
    })
    reply.header(internalHeaders.revision, String(peers.revision()))
    if (answer.error !== undefined) reply.header(internalHeaders.error, answer.error)
    return answer.text === undefined ? reply.code(204).send() : reply.type('application/json').send(answer.text)
  })

  function isPeer({ headers }: FastifyRequest): boolean {
    const given = headers[internalHeaders.secret]
    const secret = peers.secret()
    return typeof given === 'string' && !!secret && timingSafeEqual(digestOf(given), digestOf(secret))
  }
}

const digestOf = (text: string) => createHash('sha256').update(text).digest()
