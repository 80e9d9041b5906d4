import type { Word } from '@understudy/evm'
import type { Clock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import { quantity } from '../../shared/hex.ts'
import type { Logger } from '../../shared/logger.ts'
import { blockFromAnswer } from '../answers.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import type { StateNames } from '../endpoint/endpointProfile.ts'
import type { Call } from './outcome.ts'
import type { Item } from './queue.ts'
import type { Retry } from './retries.ts'
import { describeError, type ErrorKind, stateBlockOf, stateHashOf, UpstreamRpcError } from './rpcError.ts'
import type { SeenBlocks } from './seenBlocks.ts'

/** A call that was sent, and the form in which it was. */
export type Sent = { item: Item; call: Call }
export type Answered = Sent & { result: unknown }
export type RpcError = { code: number; message: string; data?: unknown }

type Needs = {
  seen: SeenBlocks
  clock: Clock
  logger: Logger
  retry: Retry
  /** Sends a call of our own to the endpoint. */
  ask(method: string, params: readonly unknown[], at?: Endpoint): Promise<unknown>
  /** Called when a block is gone, to look for upstream's new head. */
  onReorg(): void
}

/**
 * State is read by the hash of its block. Endpoints that take none are asked by its number, or for the newest, and what they
 * answer is used once their chain was seen to have the block there still.
 */
export function createStateNames({ seen, clock, logger, retry, ask, onReorg }: Needs) {
  /** Another name of the block of state, for an endpoint that may not take this one. */
  function other(
    { method, params }: Item,
    { stateName }: Call,
    endpoint: Endpoint,
    kind: ErrorKind,
    { code }: RpcError,
  ): StateNames | undefined {
    const block = seen.blockOfState(method, params)
    if (!block || kind === 'reverted') return undefined
    if (stateName === undefined) return endpoint.hasTakenHashes && code !== -32602 ? undefined : 'number'
    return stateName !== 'latest' && !endpoint.hasTakenNumbers && block.number === seen.newest ? 'latest' : undefined
  }

  function rejectAsGone(item: Item, block: bigint, hash: Word): void {
    if (item.settled) return
    onReorg()
    item.reject(new NetworkError('UPSTREAM_REORGED', { block, hash }))
  }

  function settle({ item, call, result }: Answered, endpoint: Endpoint): void {
    endpoint.keeps(seen.depthOfState(item.method, item.params) ?? 0n)
    if (stateHashOf(item.method, item.params)) {
      if (call.stateName === undefined) endpoint.tookHash()
      else learnNames(endpoint, call.stateName === 'latest' ? 'latest' : 'number')
    }
    item.resolve(result)
  }

  function learnNames(endpoint: Endpoint, names: StateNames): void {
    if (names === 'number') endpoint.hasTakenNumbers = true
    if (!endpoint.refusedHash(names, clock.now())) return
    const how = names === 'number' ? 'by the number of its block' : 'of the newest block only'
    logger.info({ upstream: endpoint.name }, `Upstream takes no block hashes; state is read ${how}, and checked`)
  }

  /** Reads that named their block by its number or as the newest are right if upstream's chain still has the block there. */
  async function confirmBlock(endpoint: Endpoint, group: readonly Answered[]): Promise<void> {
    const items = group.map(({ item }) => item)
    const [first] = group
    const wanted = first && seen.blockOfState(first.item.method, first.item.params)
    // So many blocks were read since then that it is not known any more.
    if (!wanted) return retry(items, endpoint, `${endpoint.name} was too slow`)
    const { number, hash } = wanted
    const tag = first.call.stateName === 'latest' ? 'latest' : quantity(number)
    try {
      const block = blockFromAnswer(tag, await ask('eth_getBlockByNumber', [tag, false], endpoint))
      const found = BigInt(block.number)
      if (block.hash === hash) for (const each of group) settle(each, endpoint)
      else if (found === number) for (const item of items) rejectAsGone(item, found, hash)
      else if (found < number) retry(items, endpoint, `${endpoint.name} has not seen block ${number} yet`)
      else movedOn(items)
    } catch (error) {
      retry(items, endpoint, (error as Error).message)
    }
  }

  /** The endpoint has the state of the newest block only, and that is a later one now. */
  function movedOn(items: readonly Item[]): void {
    onReorg()
    for (const item of items)
      item.reject(
        refusalOf(seen, item, 'no state', { code: -32000, message: 'upstream has the state of its newest block only' }),
      )
  }

  return {
    other,
    rejectAsGone,
    settle,
    confirm(endpoint: Endpoint, held: readonly Answered[]): void {
      for (const group of byBlock(held).values()) void confirmBlock(endpoint, group)
    },
  }
}

export function refusalOf(seen: SeenBlocks, { method, params }: Item, kind: ErrorKind, error: RpcError): NetworkError {
  const cause = new UpstreamRpcError(method, error)
  if (kind !== 'no state')
    return new NetworkError('UPSTREAM_ERROR', { problem: describeError(method, error) }, { cause })
  const known = seen.blockOfState(method, params)
  const block = known ? `${known.number} (${known.hash})` : stateBlockOf(method, params)
  return new NetworkError('UPSTREAM_STATE_PRUNED', { block }, { cause })
}

function byBlock(held: readonly Answered[]): Map<string, Answered[]> {
  const groups = new Map<string, Answered[]>()
  for (const each of held) {
    const key = `${stateHashOf(each.item.method, each.item.params)} ${each.call.stateName}`
    const group = groups.get(key)
    if (group) group.push(each)
    else groups.set(key, [each])
  }
  return groups
}
