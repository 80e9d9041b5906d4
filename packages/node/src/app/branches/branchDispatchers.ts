import type { OtherNodes } from '../../cluster/peers.ts'
import type { Dispatcher } from '../../rpc/dispatch.ts'
import { failure, idOfBody, inOnePiece } from '../../rpc/envelope.ts'
import type { Services, UsedBranch } from '../../rpc/services.ts'
import type { UseBranch } from '../../server/webSockets.ts'
import { NetworkError } from '../../shared/errors.ts'

type Needs = {
  use(idOrName: string): Promise<UsedBranch>
  dispatcherOf(services: Services): Dispatcher
  /** Set if other nodes share the network. */
  nodes: OtherNodes | undefined
}

/** Answers the requests of branches. Where several nodes share the network, the one that seals has its branches open. */
export function createBranchDispatchers({ use, dispatcherOf, nodes }: Needs): UseBranch {
  const open = new WeakMap<Services, Dispatcher>()

  const useHere: UseBranch = async (branch) => {
    const { services, release } = await use(branch)
    const dispatcher = open.get(services) ?? dispatcherOf(services)
    open.set(services, dispatcher)
    return { dispatcher, release }
  }

  const useThere = (branch: string, { remoteSealer }: OtherNodes): Dispatcher => ({
    async answer(body, client) {
      const here = async () => {
        const { dispatcher, release } = await useHere(branch)
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

  return async (branch) => {
    if (!nodes || nodes.peers.isSealer()) return useHere(branch)
    return { dispatcher: useThere(branch, nodes), release() {} }
  }
}
