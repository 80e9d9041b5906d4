import type { Address, Hex, Word } from '@understudy/evm'
import { currentBudget } from '../../shared/budget/requestBudget.ts'
import { isAnsweredError, NetworkError } from '../../shared/errors.ts'
import { bytesFromAnswer } from '../answers.ts'
import { UpstreamRpcError } from '../transport/rpcError.ts'
import type { Upstream } from '../upstream.ts'
import type { Base } from '../wantedState.ts'
import type { LiveAnswer } from './baseState.ts'
import { keyOf, type StoredAnswers } from './storedAnswers.ts'

/** What contracts of the live chain answered at one block. */
export type LiveAnswers = {
  get(address: Address, input: Hex): LiveAnswer | undefined
  /** Asks in one batch for those that are not known. */
  load(calls: readonly (readonly [Address, Hex])[], signal?: AbortSignal): Promise<void>
}

type Needs = Pick<Upstream, 'request' | 'atBlock'> & { stored: Pick<StoredAnswers, 'load' | 'add'> }

/** Characters of inputs and bytes of answers kept for one block; all are dropped when there are more. */
const sizeLimit = 8 * 1024 * 1024
/** Bytes of one answer: as many as the engine copies for the gas of a simple call. */
const answerLimit = 1024 * 1024

/** An answer holds for its block alone: what it depends on is not known. */
export function createLiveAnswers(block: Base, { request, atBlock, stored }: Needs): LiveAnswers {
  const answers = new Map<string, LiveAnswer>()
  let size = 0

  function keep([to, data]: readonly [Address, Hex], answer: LiveAnswer): void {
    answers.set(to + data, answer)
    size += data.length + answer.output.length
  }

  async function ask([to, data]: readonly [Address, Hex], signal: AbortSignal | undefined): Promise<LiveAnswer> {
    try {
      return answerFrom(await request('eth_call', [{ to, data }, atBlock(block)], { signal }))
    } catch (error) {
      if (!isRevert(error)) throw error
      return { ...answerFrom(error.cause.data ?? '0x'), isReverted: true }
    }
  }

  return {
    get: (address, input) => answers.get(address + input),
    async load(calls, signal) {
      const missing = calls.filter(([address, input]) => !answers.has(address + input))
      if (missing.length === 0) return
      const budget = currentBudget()
      budget?.keys.take(missing.length)
      if (size > sizeLimit) {
        size = 0
        answers.clear()
      }
      const known = await stored.load(
        block,
        missing.map(([address, input]) => keyOf(address, input)),
      )
      const asked = new Map<Word, LiveAnswer>()
      try {
        await Promise.all(
          missing.map(async (call) => {
            const key = keyOf(...call)
            const answer = known.get(key) ?? (await ask(call, signal ?? budget?.signal))
            keep(call, answer)
            if (!known.has(key)) asked.set(key, answer)
          }),
        )
      } finally {
        stored.add(block, asked)
      }
    },
  }
}

function answerFrom(answered: unknown): LiveAnswer {
  const output = bytesFromAnswer('eth_call', answered)
  if (output.length > answerLimit)
    throw new NetworkError('LIMIT_EXCEEDED', {
      what: "the live chain's own contract answers too much",
      limit: answerLimit,
    })
  return { output }
}

function isRevert(error: unknown): error is { cause: UpstreamRpcError } {
  if (!isAnsweredError(error) || !(error.cause instanceof UpstreamRpcError)) return false
  return error.cause.code === 3 || /revert/i.test(error.cause.message)
}
