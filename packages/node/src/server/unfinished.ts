import type { Dispatcher } from '../rpc/dispatch/dispatch.ts'
import { failure, idOfBody } from '../rpc/dispatch/envelope.ts'
import type { NetworkError } from '../shared/errors.ts'
import type { UseBranch } from './webSockets.ts'

type Answering = { dispatcher: Dispatcher; useBranch: UseBranch }

/** The same, whose messages can be answered by a stop while they run: a change that waits for others is not cancelled. */
export type Unfinished = Answering & {
  /** Answers all messages that run with a reason. Returns how many there were. */
  endAll(reason: NetworkError): number
}

export function createUnfinished({ dispatcher, useBranch }: Answering): Unfinished {
  const messages = new Set<(reason: NetworkError) => void>()
  const known = ({ answer }: Dispatcher): Dispatcher => ({
    answer(body, client) {
      const answered = answer(body, client)
      if (!(answered instanceof Promise)) return answered
      return new Promise((resolve, reject) => {
        const end = (reason: NetworkError) => resolve(failure(idOfBody(body), reason))
        messages.add(end)
        answered.then(resolve, reject).finally(() => messages.delete(end))
      })
    },
  })
  return {
    dispatcher: known(dispatcher),
    async useBranch(branch, cut) {
      const used = await useBranch(branch, cut)
      return { ...used, dispatcher: known(used.dispatcher) }
    },
    endAll(reason) {
      for (const end of messages) end(reason)
      return messages.size
    },
  }
}
