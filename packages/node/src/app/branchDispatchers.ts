import type { Branches } from '../branches/branch.ts'
import type { OtherNodes } from '../cluster/forwarder.ts'
import type { Client } from '../rpc/caller.ts'
import type { Dispatcher } from '../rpc/dispatch/dispatch.ts'
import { failure, idOfBody, inOnePiece } from '../rpc/dispatch/envelope.ts'
import type { Services } from '../rpc/services.ts'
import type { UseBranch } from '../server/webSockets.ts'
import { NetworkError } from '../shared/errors.ts'

type Needs = {
  use: Branches<Services>['use']
  dispatcherOf(services: Services): Dispatcher
  /** Set if other nodes share the network. */
  nodes: OtherNodes | undefined
}

/** Answers the requests of branches. Where several nodes share the network, the one that seals has its branches open. */
export function createBranchDispatchers({ use, dispatcherOf, nodes }: Needs): UseBranch {
  const open = new WeakMap<Services, Dispatcher>()

  const useHere: UseBranch = async (branch, cut) => {
    const { services, release, answer } = await use(branch, cut)
    const dispatcher = open.get(services) ?? dispatcherOf(services)
    open.set(services, dispatcher)
    return {
      dispatcher: {
        answer: (body, client) =>
          answer({
            run: (request) => dispatcher.answer(body, new BranchClient(client, request)),
            fail: (reason) => failure(idOfBody(body), reason),
            signal: () => client.signal,
          }),
      },
      release,
    }
  }

  const useThere = (branch: string, { remoteSealer }: OtherNodes): Dispatcher => ({
    async answer(body, client) {
      const here = async () => {
        const { dispatcher, release } = await useHere(branch, () => {})
        try {
          const { text, error } = await dispatcher.answer(body, client)
          return { text: text && String(inOnePiece(text)), error }
        } finally {
          release()
        }
      }
      try {
        if (!client.mayAsk()) throw new NetworkError('RATE_LIMITED', {})
        return await remoteSealer.run({ body, caller: client, branch, here, findAnswer: undefined })
      } catch (error) {
        if (error instanceof NetworkError) return failure(idOfBody(body), error)
        throw error
      }
    },
  })

  return async (branch, cut) => {
    if (!nodes || nodes.peers.isSealer()) return useHere(branch, cut)
    return { dispatcher: useThere(branch, nodes), release() {} }
  }
}

/** The sender of a request of a branch, which ends with the branch too. A class, as an object with a getter takes microseconds to make. */
class BranchClient implements Client {
  readonly role: Client['role']
  readonly key: Client['key']
  readonly holder: Client['holder']
  readonly mayAsk: Client['mayAsk']
  readonly quotas: Client['quotas']
  readonly subscriber: Client['subscriber']
  readonly isForwarded?: true
  readonly connection: Client['connection']
  readonly bytes: Client['bytes']
  readonly #request: { readonly signal: AbortSignal }

  constructor(client: Client, request: { readonly signal: AbortSignal }) {
    this.role = client.role
    this.key = client.key
    this.holder = client.holder
    this.mayAsk = client.mayAsk
    this.quotas = client.quotas
    this.subscriber = client.subscriber
    if (client.isForwarded) this.isForwarded = true
    this.connection = client.connection
    this.bytes = client.bytes
    this.#request = request
  }

  get signal() {
    return this.#request.signal
  }
}
