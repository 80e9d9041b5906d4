import type { Clock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Endpoint } from './endpoint.ts'
import type { Endpoints } from './endpoints.ts'
import type { CallAnswer, UpstreamOutcome } from './outcome.ts'
import type { Item } from './queue.ts'
import { createRefusals } from './refusals.ts'
import { createRetries } from './retries.ts'
import { describeError, type ErrorKind, errorKind, stateBlockOf } from './rpcError.ts'
import { blockHashOf, type SeenBlocks } from './seenBlocks.ts'
import { type Answered, createStateNames, type RpcError, refusalOf, type Sent } from './stateNames.ts'

type Needs = {
  endpoints: Endpoints
  seen: SeenBlocks
  clock: Clock
  logger: Logger
  random: () => number
  /** Removes our secrets from a text of upstream's. */
  redact(text: string): string
  /** Puts calls back, to be sent again. */
  again(items: readonly Item[], problem?: string): void
  /** Sends a call of our own, to the endpoint if there is one. */
  ask(method: string, params: readonly unknown[], at?: Endpoint): Promise<unknown>
  /** Called when a block is gone, to look for upstream's new head. */
  onReorg(): void
}

/** What is done after each outcome of a request: its calls are settled, or sent again, or sent elsewhere. */
export function createReactions(needs: Needs) {
  const { endpoints, seen, clock, logger, random, redact, again } = needs
  const hasOthers = endpoints.all.length > 1
  const retry = createRetries({ hasOthers, clock, random, again })
  const stateNames = createStateNames({ ...needs, retry })
  const refusals = createRefusals({ ...needs, stateNames, retry })

  /** Sends calls that upstream failed again, unless that was done for long enough. */
  function retryFailed(items: readonly Item[], endpoint: Endpoint, problem: string): void {
    for (const item of items)
      if (clock.now() >= item.retriesUntil) item.reject(new NetworkError('UPSTREAM_UNAVAILABLE', { problem }))
    const open = items.filter(({ settled }) => !settled)
    retry(open, endpoint, problem)
  }

  function applyError(sent: Sent, endpoint: Endpoint, kind: ErrorKind, error: RpcError): void {
    const { item } = sent
    const { method, params } = item
    const problem = describeError(method, error)
    const block = seen.blockOfState(method, params)
    const isRecent = seen.isRecent(block?.hash, clock.now())
    switch (kind) {
      case 'reverted':
      case 'too much':
        item.reject(refusalOf(seen, item, kind, error))
        return
      case 'broken':
        if (item.refusals.size > 0 && !refusals.doubt(item)) break
        retryFailed([item], endpoint, problem)
        return
      case 'not yet':
      case 'no state':
        if (kind === 'no state' && stateNames.other(item, sent.call, endpoint, kind, error)) break
        if (block && !item.isLookedFor && (kind === 'not yet' || isRecent)) {
          item.isLookedFor = true
          void refusals.lookForBlock(item, block, () => applyError(sent, endpoint, kind, error))
          return
        }
        if (isRecent && refusals.awaitBlock(item, endpoint, problem)) return
        if (kind === 'no state') endpoint.hasNoState(stateBlockOf(method, params))
        else if (refusals.doubt(item)) {
          retry([item], endpoint, problem)
          return
        }
        break
      case 'no method':
        endpoint.misses(method, clock.now())
        break
      case 'no batches':
      case 'unclear':
        if (!refusals.doubt(item)) break
        retry([item], endpoint, problem)
        return
      case 'wrong request':
        if (stateNames.other(item, sent.call, endpoint, kind, error)) break
        item.reject(item.firstRefusal ?? refusalOf(seen, item, kind, error))
        return
      default:
    }
    refusals.refuse(sent, endpoint, kind, error)
  }

  /** Whether a block that upstream has was answered to be unknown. */
  function isUnseen({ method, params }: Item, result: unknown): boolean {
    if (result !== null) return false
    const [number] = params
    if (method === 'eth_getBlockByNumber' && typeof number === 'string' && /^0x[0-9a-f]{1,16}$/.test(number))
      return seen.isKnown(BigInt(number))
    return seen.isRecent(blockHashOf(method, params), clock.now())
  }

  function applyAnswers(endpoint: Endpoint, sent: readonly Sent[], byId: ReadonlyMap<number, CallAnswer>): void {
    const limited: Item[] = []
    const held: Answered[] = []
    let served = 0
    let failure: string | undefined
    for (const each of sent) {
      const { item, call } = each
      const answer = byId.get(item.id)
      if (item.settled) served++
      else if (!answer) {
        failure = 'did not answer a call of a batch'
        retryFailed([item], endpoint, `${endpoint.name} ${failure}`)
      } else if ('refusal' in answer) {
        served++
        item.reject(answer.refusal)
      } else if ('result' in answer) {
        served++
        if (
          isUnseen(item, answer.result) &&
          refusals.awaitBlock(item, endpoint, `${item.method}: the block is not there yet`)
        )
          continue
        if (call.stateName !== undefined) held.push({ ...each, result: answer.result })
        else stateNames.settle({ ...each, result: answer.result }, endpoint)
      } else {
        const error = { ...answer.error, message: redact(answer.error.message) }
        const kind = errorKind(error)
        if (kind === 'slow down') limited.push(item)
        else {
          if (kind === 'denied' || kind === 'broken' || kind === 'unclear') failure = `answered: ${error.message}`
          else served++
          applyError(each, endpoint, kind, error)
        }
      }
    }
    stateNames.confirm(endpoint, held)
    judge(endpoint, sent.length, limited, served, failure)
  }

  function judge(
    endpoint: Endpoint,
    size: number,
    limited: readonly Item[],
    served: number,
    failure: string | undefined,
  ): void {
    if (limited.length > 0) {
      if (served > 0 || endpoint.limits > 0) endpoint.slowDown(size, size - limited.length)
      // An endpoint that answers part of a batch keeps its pace: pauses need not grow.
      if (served > 0) endpoints.succeeded(endpoint)
      endpoints.limited(endpoint, undefined)
      again(limited, `${endpoint.name} limits the rate of requests`)
    } else if (served > 0 || failure === undefined) {
      endpoint.speedUp(size)
      endpoints.succeeded(endpoint)
    } else if (hasOthers) endpoints.failed(endpoint, failure)
  }

  return {
    firstRefusal: refusals.firstRefusal,
    lagsSince: refusals.lagsSince,
    apply(endpoint: Endpoint, sent: readonly Sent[], outcome: UpstreamOutcome): void {
      if (outcome.type === 'answers') {
        applyAnswers(endpoint, sent, outcome.byId)
        return
      }
      const items = sent.map(({ item }) => item).filter(({ settled }) => !settled)
      const problem = `${endpoint.name} ${outcome.problem}`
      if (outcome.type === 'failed') {
        endpoints.failed(endpoint, outcome.problem, outcome)
        for (const item of items) item.failures++
        const isDone = (item: Item) => item.refusals.size > 0 && !refusals.doubt(item)
        const done = items.filter(isDone)
        for (const item of done) item.reject(refusals.firstRefusal(item))
        retryFailed(items, endpoint, problem)
        return
      }
      if (outcome.type === 'limited') {
        if (outcome.isBatchDoubtful && endpoint.limits > 0) endpoint.refuseBatch(sent.length, outcome, clock.now())
        else endpoints.limited(endpoint, outcome.retryAfterMs)
      }
      if (outcome.type === 'denied') endpoints.denied(endpoint, outcome.problem)
      if (outcome.type === 'batch refused' && endpoint.refuseBatch(sent.length, outcome, clock.now()))
        logger.warn(
          { upstream: endpoint.name, limit: endpoint.batchSize(clock.now()), problem: outcome.problem },
          'Upstream limits batches',
        )
      again(items, problem)
    },
  }
}
