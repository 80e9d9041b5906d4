import type { Address, Hex } from '@understudy/evm'
import { currentBudget } from '../../shared/budget/requestBudget.ts'
import { isAnsweredError } from '../../shared/errors.ts'
import { bytesFromAnswer } from '../answers.ts'
import { UpstreamRpcError } from '../transport/rpcError.ts'
import type { Upstream } from '../upstream.ts'
import type { Base } from '../wantedState.ts'
import type { LiveAnswer } from './baseState.ts'

/** What contracts of the live chain answered at one block. */
export type LiveAnswers = {
  get(address: Address, input: Hex): LiveAnswer | undefined
  /** Asks in one batch for those that are not known. */
  load(calls: readonly (readonly [Address, Hex])[], signal?: AbortSignal): Promise<void>
}

/** Characters of inputs and bytes of answers kept for one block; all are dropped when there are more. */
const sizeLimit = 8 * 1024 * 1024

/** An answer holds for its block alone: what it depends on is not known. */
export function createLiveAnswers(
  block: Base,
  { request, atBlock }: Pick<Upstream, 'request' | 'atBlock'>,
): LiveAnswers {
  const answers = new Map<string, LiveAnswer>()
  let size = 0
  return {
    get: (address, input) => answers.get(address + input),
    async load(calls, signal) {
      const missing = calls.filter(([address, input]) => !answers.has(address + input))
      if (missing.length === 0) return
      const budget = currentBudget()
      budget?.keys.take(missing.length)
      const options = { signal: signal ?? budget?.signal }
      if (size > sizeLimit) {
        size = 0
        answers.clear()
      }
      await Promise.all(
        missing.map(async ([to, data]) => {
          const ask = request('eth_call', [{ to, data }, atBlock(block)], options)
          const answer = await ask.then(
            (output): LiveAnswer => ({ output: bytesFromAnswer('eth_call', output) }),
            (error): LiveAnswer => {
              if (!isRevert(error)) throw error
              const { data } = error.cause
              return { output: bytesFromAnswer('eth_call', data ?? '0x'), isReverted: true }
            },
          )
          answers.set(to + data, answer)
          size += data.length + answer.output.length
        }),
      )
    },
  }
}

function isRevert(error: unknown): error is { cause: UpstreamRpcError } {
  if (!isAnsweredError(error) || !(error.cause instanceof UpstreamRpcError)) return false
  return error.cause.code === 3 || /revert/i.test(error.cause.message)
}
