import type { Clock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
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
export class Reactions {
  readonly #needs: Needs
  readonly #hasOthers: boolean
  readonly #retry: ReturnType<typeof createRetries>
  readonly #stateNames: ReturnType<typeof createStateNames>
  readonly #refusals: ReturnType<typeof createRefusals>

  constructor(needs: Needs) {
    this.#needs = needs
    this.#hasOthers = needs.endpoints.all.length > 1
    this.#retry = createRetries({ ...needs, hasOthers: this.#hasOthers })
    this.#stateNames = createStateNames({ ...needs, retry: this.#retry })
    this.#refusals = createRefusals({ ...needs, stateNames: this.#stateNames, retry: this.#retry })
  }

  apply(endpoint: Endpoint, sent: readonly Sent[], outcome: UpstreamOutcome): void {
    if (outcome.type === 'answers') {
      this.#applyAnswers(endpoint, sent, outcome.byId)
      return
    }
    const items = sent.map(({ item }) => item).filter(({ settled }) => !settled)
    const problem = `${endpoint.name} ${outcome.problem}`
    if (outcome.type === 'failed') {
      this.#needs.endpoints.failed(endpoint, outcome.problem, outcome)
      for (const item of items) item.failures++
      const isDone = (item: Item) => item.refusals.size > 0 && !this.#refusals.mayRetry(item)
      const done = items.filter(isDone)
      for (const item of done) item.reject(this.#refusals.firstRefusal(item))
      this.#retryFailed(items, endpoint, problem)
      return
    }
    if (outcome.type === 'limited') {
      if (outcome.mayBeBatchRefusal && endpoint.limits > 0)
        endpoint.batches.refuse(sent.length, outcome, this.#needs.clock.now())
      else this.#needs.endpoints.limited(endpoint, outcome.retryAfterMs)
    }
    if (outcome.type === 'denied') this.#needs.endpoints.denied(endpoint, outcome.problem)
    if (outcome.type === 'batch refused' && endpoint.batches.refuse(sent.length, outcome, this.#needs.clock.now()))
      this.#needs.logger.warn(
        { upstream: endpoint.name, limit: endpoint.batches.size(this.#needs.clock.now()), problem: outcome.problem },
        'Upstream limits batches',
      )
    this.#needs.again(items, problem)
  }

  /** What an endpoint refused a call with: what the user is told when no other is left. */
  firstRefusal(item: Item): NetworkError | undefined {
    return this.#refusals.firstRefusal(item)
  }

  /** Whether a node of upstream did not have a block yet that another one had, since a time in milliseconds since 1970. */
  lagsSince(from: number): boolean {
    return this.#refusals.lagsSince(from)
  }

  /** Sends calls that upstream failed again, unless that was done for long enough. */
  #retryFailed(items: readonly Item[], endpoint: Endpoint, problem: string): void {
    for (const item of items)
      if (this.#needs.clock.now() >= item.retriesUntil)
        item.reject(new NetworkError('UPSTREAM_UNAVAILABLE', { problem }))
    const open = items.filter(({ settled }) => !settled)
    this.#retry(open, endpoint, problem)
  }

  #applyError(sent: Sent, endpoint: Endpoint, kind: ErrorKind, error: RpcError): void {
    const { item } = sent
    const { method, params } = item
    const problem = describeError(method, error)
    const block = this.#needs.seen.blockOfState(method, params)
    const isRecent = this.#needs.seen.isRecent(block?.hash, this.#needs.clock.now())
    switch (kind) {
      case 'reverted':
      case 'too much':
        item.reject(refusalOf(this.#needs.seen, item, kind, error))
        return
      case 'broken':
        if (item.refusals.size > 0 && !this.#refusals.mayRetry(item)) break
        this.#retryFailed([item], endpoint, problem)
        return
      case 'not yet':
      case 'no state':
        if (kind === 'no state' && this.#stateNames.other(item, sent.call, endpoint, kind, error)) break
        if (block && !item.isLookedFor && (kind === 'not yet' || isRecent)) {
          item.isLookedFor = true
          void this.#refusals.searchBlock(item, block, () => this.#applyError(sent, endpoint, kind, error))
          return
        }
        if (isRecent && this.#refusals.awaitBlock(item, endpoint, problem)) return
        if (kind === 'no state') {
          endpoint.hasNoState(stateBlockOf(method, params))
          endpoint.prunes(this.#needs.seen.depthOfState(method, params) ?? 0n, this.#needs.clock.now())
        } else if (this.#refusals.mayRetry(item)) {
          this.#retry([item], endpoint, problem)
          return
        }
        break
      case 'no method':
        endpoint.misses(method, this.#needs.clock.now())
        break
      case 'no batches':
      case 'unclear':
        if (!this.#refusals.mayRetry(item)) break
        this.#retry([item], endpoint, problem)
        return
      case 'wrong request':
        if (this.#stateNames.other(item, sent.call, endpoint, kind, error)) break
        item.reject(item.firstRefusal ?? refusalOf(this.#needs.seen, item, kind, error))
        return
      default:
    }
    this.#refusals.refuse(sent, endpoint, kind, error)
  }

  /** Whether a block that upstream has was answered to be unknown. */
  #isUnseen({ method, params }: Item, result: unknown): boolean {
    if (result !== null) return false
    const [number] = params
    if (method === 'eth_getBlockByNumber' && typeof number === 'string' && /^0x[0-9a-f]{1,16}$/.test(number))
      return this.#needs.seen.isKnown(BigInt(number))
    return this.#needs.seen.isRecent(blockHashOf(method, params), this.#needs.clock.now())
  }

  #applyAnswers(endpoint: Endpoint, sent: readonly Sent[], byId: ReadonlyMap<number, CallAnswer>): void {
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
        this.#retryFailed([item], endpoint, `${endpoint.name} ${failure}`)
      } else if ('refusal' in answer) {
        served++
        item.reject(answer.refusal)
      } else if ('result' in answer) {
        served++
        if (
          this.#isUnseen(item, answer.result) &&
          this.#refusals.awaitBlock(item, endpoint, `${item.method}: the block is not there yet`)
        )
          continue
        if (call.stateName !== undefined) held.push({ ...each, result: answer.result })
        else this.#stateNames.settle({ ...each, result: answer.result }, endpoint)
      } else {
        const error = { ...answer.error, message: this.#needs.redact(answer.error.message) }
        const kind = errorKind(error)
        if (kind === 'slow down') limited.push(item)
        else {
          if (kind === 'denied' || kind === 'broken' || kind === 'unclear') failure = `answered: ${error.message}`
          else served++
          this.#applyError(each, endpoint, kind, error)
        }
      }
    }
    this.#stateNames.confirm(endpoint, held)
    this.#judge(endpoint, sent.length, limited, served, failure)
  }

  #judge(
    endpoint: Endpoint,
    size: number,
    limited: readonly Item[],
    served: number,
    failure: string | undefined,
  ): void {
    if (limited.length > 0) {
      if (served > 0 || endpoint.limits > 0) endpoint.batches.slowDown(size, size - limited.length)
      // An endpoint that answers part of a batch keeps its pace: pauses need not grow.
      if (served > 0) this.#needs.endpoints.succeeded(endpoint)
      this.#needs.endpoints.limited(endpoint, undefined)
      this.#needs.again(limited, `${endpoint.name} limits the rate of requests`)
    } else if (served > 0 || failure === undefined) {
      endpoint.batches.speedUp(size)
      this.#needs.endpoints.succeeded(endpoint)
    } else if (this.#hasOthers) this.#needs.endpoints.failed(endpoint, failure)
  }
}
