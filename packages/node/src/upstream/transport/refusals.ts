import type { Clock } from '../../shared/clock.ts'
import type { NetworkError } from '../../shared/errors.ts'
import { quantity } from '../../shared/hex.ts'
import { blockFromAnswer } from '../answers.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import type { Base } from '../wantedState.ts'
import type { Endpoints } from './endpoints.ts'
import type { Item } from './queue.ts'
import type { Retry } from './retries.ts'
import { describeError, type ErrorKind, stateBlockOf } from './rpcError.ts'
import type { SeenBlocks } from './seenBlocks.ts'
import { type createStateNames, type RpcError, refusalOf, type Sent } from './stateNames.ts'

/** Maximum attempts for a call whose error may have any reason. */
const unclearErrorLimit = 3
/** How long a call is sent again while its block is not there yet, in milliseconds. */
const notYetMs = 5_000

type Needs = {
  endpoints: Endpoints
  seen: SeenBlocks
  clock: Clock
  /** Puts calls back, to be sent again. */
  again(items: readonly Item[], problem: string): void
  stateNames: Pick<ReturnType<typeof createStateNames>, 'other' | 'rejectAsGone'>
  retry: Retry
  /** Sends a call of our own. */
  ask(method: string, params: readonly unknown[]): Promise<unknown>
}

/** Calls that an endpoint does not answer are sent elsewhere, or again once their block may be there, or rejected. */
export function createRefusals({ endpoints, seen, clock, stateNames, retry, again, ask }: Needs) {
  const hasOthers = endpoints.all.length > 1
  /** When a block was last not there yet, in milliseconds since 1970. */
  let laggedAt: number | undefined

  /** The endpoint cannot answer a call: another one is asked, if there is one that may. */
  function refuse({ item, call }: Sent, endpoint: Endpoint, kind: ErrorKind, error: RpcError): void {
    const problem = describeError(item.method, error)
    const other = stateNames.other(item, call, endpoint, kind, error)
    if (other) {
      item.stateNames = other
      item.firstRefusal ??= refusalOf(seen, item, kind, error)
      again([item], problem)
      return
    }
    const refusal = refusalOf(seen, item, kind, error)
    item.refusals.set(endpoint, refusal.kind === 'UPSTREAM_STATE_PRUNED' ? refusal : (item.firstRefusal ?? refusal))
    item.stateNames = undefined
    item.firstRefusal = undefined
    if (endpoints.isOtherUsable((each) => item.refusals.has(each))) again([item], problem)
    else item.reject(firstRefusal(item))
  }

  /** The endpoints come in the user's order, and so do their refusals; pruned state says most. */
  function firstRefusal({ refusals }: Item): NetworkError | undefined {
    const inOrder = endpoints.all.flatMap((endpoint) => refusals.get(endpoint) ?? [])
    return inOrder.find(({ kind }) => kind === 'UPSTREAM_STATE_PRUNED') ?? inOrder[0]
  }

  /** A node of the endpoint has not seen the block yet. Returns false if it had time enough. */
  function awaitBlock(item: Item, endpoint: Endpoint, problem: string): boolean {
    const now = clock.now()
    item.unseenSince ??= now
    if (now - item.unseenSince >= notYetMs) return false
    laggedAt = now
    if (hasOthers) endpoint.hasNoState(stateBlockOf(item.method, item.params))
    retry([item], endpoint, problem)
    return true
  }

  /** Goes on with a call after the block whose state it reads was looked for, unless it is no longer part of upstream's chain. */
  async function searchBlock(item: Item, { number, hash }: Base, goOn: () => void): Promise<void> {
    try {
      const raw = await ask('eth_getBlockByNumber', [quantity(number), false])
      if (raw !== null && blockFromAnswer(String(number), raw).hash !== hash)
        stateNames.rejectAsGone(item, number, hash)
    } catch {
      // The call itself is still asked.
    }
    if (!item.settled) goOn()
  }

  /** Counts an error without a clear reason. Returns false if the call has used up its attempts. */
  const mayRetry = (item: Item): boolean => ++item.unclearErrors < unclearErrorLimit && clock.now() < item.retriesUntil

  return {
    refuse,
    firstRefusal,
    awaitBlock,
    searchBlock,
    mayRetry,
    /** Whether a node of upstream did not have a block yet that another one had, since a time in milliseconds since 1970. */
    lagsSince: (from: number) => laggedAt !== undefined && laggedAt >= from,
  }
}
