import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Peers } from '../cluster/forwarder.ts'
import { digestOfBody, internalHeaders, internalPath, type SignedCall } from '../cluster/internalCalls.ts'
import { createPeerCheck } from '../cluster/peerCheck.ts'
import type { Dispatcher } from '../rpc/dispatch/dispatch.ts'
import { failure, idOfBody, inOnePiece } from '../rpc/dispatch/envelope.ts'
import type { MessageBytes } from '../shared/budget/messageBytes.ts'
import type { Clock } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Role } from '../shared/role.ts'
import { holderOfAddress } from './limits/addresses.ts'
import type { UseBranch } from './webSockets.ts'

/** Runs calls that other nodes forwarded, while this node seals. The forwarding node has checked their keys. */
export function serveInternalCalls(
  server: FastifyInstance,
  {
    dispatcher,
    useBranch,
    peers,
    bytesOf,
    clock,
  }: {
    dispatcher: Dispatcher
    useBranch: UseBranch
    peers: Peers
    bytesOf(request: FastifyRequest): MessageBytes
    clock: Clock
  },
): void {
  const check = createPeerCheck(peers.secret, { clock })
  const calls = new WeakMap<FastifyRequest, SignedCall>()
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    const found = check(request.headers)
    if ('problem' in found) return reply.code(403).send(found.problem)
    calls.set(request, found)
    return undefined
  }
  /** The dispatcher of a branch until it has answered, or of the network. */
  async function dispatcherOf(branch: string | undefined, reply: FastifyReply): Promise<Pick<Dispatcher, 'answer'>> {
    if (branch === undefined) return dispatcher
    try {
      const network = await useBranch(decodeURIComponent(branch), () => {})
      reply.raw.once('close', network.release)
      return network.dispatcher
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      return { answer: (body) => failure(idOfBody(body), error) }
    }
  }

  server.post(internalPath, { onRequest }, async (request, reply) => {
    if (!peers.isSealer()) return reply.code(409).send('this node does not seal')
    const { role, key, digest, branch } = calls.get(request) as SignedCall
    const body = String(request.body)
    if (digestOfBody(body) !== digest) return reply.code(403).send('the body does not match its signature')
    const answer = await (await dispatcherOf(branch, reply)).answer(body, {
      role: role as Role,
      key,
      holder: key ?? holderOfAddress(request.ip),
      mayAsk: () => true,
      subscriber: undefined,
      isForwarded: true,
      connection: request.raw.socket,
      bytes: bytesOf(request),
    })
    reply.header(internalHeaders.revision, String(peers.revision()))
    if (answer.error !== undefined) reply.header(internalHeaders.error, answer.error)
    const { text } = answer
    if (text === undefined) return reply.code(204).send()
    return reply.type('application/json').send(inOnePiece(text))
  })
}
