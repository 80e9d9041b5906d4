import type { Word } from '@understudy/evm'
import { type Clock, pause } from '../../shared/clock.ts'
import { quantity } from '../../shared/hex.ts'
import { blockFromAnswer } from '../answers.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import type { Counters } from './counters.ts'
import type { UpstreamOutcome } from './outcome.ts'
import type { Post } from './post.ts'
import { againMs, limitMs } from './retries.ts'
import { errorKind } from './rpcError.ts'

/** How often an endpoint is asked which chain it is until it is suspended. */
const askLimit = 4

type Needs = {
  post: Post
  clock: Clock
  random: () => number
  counters: Counters
  /** Removes our secrets from a text of upstream's. */
  redact(text: string): string
}

/** Asks an endpoint that is not used yet which chain it is of. */
export function createChainQuestions({ post, clock, random, counters, redact }: Needs) {
  let nextId = 0

  /** Asks again if it fails. */
  async function askAlone(
    endpoint: Endpoint,
    method: string,
    params: readonly unknown[],
  ): Promise<UpstreamOutcome & { result?: unknown }> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await askOnce(endpoint, method, params)
      const isOver = outcome.type === 'failed' ? outcome.isAway : outcome.type !== 'limited' || outcome.retryAfterMs
      if (isOver || attempt === askLimit) return outcome
      await pause(clock, (outcome.type === 'failed' ? againMs : limitMs)(attempt, random))
    }
  }

  async function askOnce(
    endpoint: Endpoint,
    method: string,
    params: readonly unknown[],
  ): Promise<UpstreamOutcome & { result?: unknown }> {
    const id = nextId++
    counters.of(method).calls++
    const outcome = await post(endpoint, [{ id, method, params }], new AbortController())
    if (!outcome) return { type: 'failed', problem: 'was not asked' }
    const answer = outcome.type === 'answers' ? outcome.byId.get(id) : undefined
    if (!answer) return outcome
    if ('result' in answer) return { ...outcome, result: answer.result }
    if ('refusal' in answer) return { type: 'failed', problem: answer.refusal.message }
    const problem = redact(answer.error.message)
    if (errorKind(answer.error) === 'slow down') return { type: 'limited', problem, retryAfterMs: undefined }
    return { type: 'failed', problem: `answered ${method} with an error: ${problem}` }
  }

  async function askChainId(endpoint: Endpoint): Promise<UpstreamOutcome & { chainId?: bigint }> {
    const outcome = await askAlone(endpoint, 'eth_chainId', [])
    return { ...outcome, chainId: parseChainId(outcome.result) }
  }

  async function askBlockHash(endpoint: Endpoint, number: bigint): Promise<UpstreamOutcome & { hash?: Word | null }> {
    const outcome = await askAlone(endpoint, 'eth_getBlockByNumber', [quantity(number), false])
    if (outcome.type !== 'answers' || outcome.result === null) return { ...outcome, hash: null }
    try {
      return { ...outcome, hash: blockFromAnswer(String(number), outcome.result).hash }
    } catch {
      return { type: 'failed', problem: 'answered something other than a block' }
    }
  }

  return { askChainId, askBlockHash }
}

function parseChainId(result: unknown): bigint | undefined {
  try {
    return typeof result === 'string' || typeof result === 'number' ? BigInt(result) : undefined
  } catch {
    return undefined
  }
}
