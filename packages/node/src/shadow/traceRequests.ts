import { createAskOptional } from '../chain/origins.ts'
import type { Logger } from '../shared/logger.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** After a trace that came too late, so many blocks are read without one. */
const restingBlocks = 100

type Options = {
  /** How long a trace may take: less than a request that fails, so that other requests do not suffer. */
  limitMs: number
}

type Needs = { upstream: Pick<Upstream, 'request'>; signal: AbortSignal; logger: Logger }

/**
 * Asks for the trace of a block. `undefined` if upstream cannot trace it, or not in time: nodes that trace each
 * transaction from the beginning of its block take minutes for a large one.
 */
export function createTraceRequests({ limitMs }: Options, { upstream, signal, logger }: Needs) {
  let resting = 0
  let late: AbortSignal
  const ask = createAskOptional((method, params) =>
    upstream.request(method, params, { signal: AbortSignal.any([signal, late]) }),
  )
  return async (method: string, params: readonly unknown[]): Promise<unknown> => {
    if (resting > 0) {
      resting--
      return undefined
    }
    const mine = AbortSignal.timeout(limitMs)
    late = mine
    try {
      return await ask(method, params)
    } catch (error) {
      if (!mine.aborted || signal.aborted) throw error
      resting = restingBlocks
      logger.warn({ block: params[0], limitMs }, 'Got no trace of a block in time; reading blocks without traces')
      return undefined
    }
  }
}
