import type { Hex, Word } from '@understudy/evm'
import { zeroAddress } from '../ethereum/constants.ts'
import { type Clock, pause } from '../shared/clock.ts'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import { quantity } from '../shared/hex.ts'
import type { Logger } from '../shared/logger.ts'
import { backoffMs } from './transport/backoff.ts'
import type { Request } from './transport/requests.ts'
import { classifyError, UpstreamRpcError } from './transport/rpcError.ts'
import type { Base } from './wantedState.ts'

/**
 * How a call identifies the block whose state it reads: by hash (EIP-1898), or by number if upstream does not support
 * hashes.
 */
export type BlockAddress = Hex | { blockHash: Word }

/**
 * Reads state of a block by its hash, so that several nodes behind one address never answer for different blocks of one
 * number. Throws `UPSTREAM_REORGED` if upstream no longer has the block, and `UPSTREAM_STATE_PRUNED` if it no
 * longer has its state.
 */
export type AtBlock = <T>(block: Base, read: (address: BlockAddress) => Promise<T>) => Promise<T>

/** Retries for a block that upstream's chain has but one of its nodes does not have yet. */
const attemptLimit = 4

type Needs = {
  request: Request
  /** Called when a block is gone, to look for upstream's new head. */
  onReorg(): void
  clock: Clock
  random: () => number
  logger: Logger
}

/** The first read detects whether upstream supports hashes; if it does, no extra request is needed. */
export function createAtBlock({ request, onReorg, clock, random, logger }: Needs): AtBlock {
  let takesHashes: boolean | undefined
  let probing: Promise<boolean> | undefined

  async function probe(): Promise<boolean> {
    const newest = await request<{ hash: Word }>('eth_getBlockByNumber', ['latest', false])
    try {
      await request('eth_getBalance', [zeroAddress, { blockHash: newest.hash }])
      return true
    } catch (error) {
      if (!isNetworkError(error, 'UPSTREAM_ERROR')) throw error
      logger.info('Upstream does not support block hashes; reading state by block number')
      return false
    }
  }

  /** Whether upstream's chain still has the block. */
  async function hasBlock({ number, hash }: Base): Promise<boolean> {
    const now = await request<{ hash: Word } | null>('eth_getBlockByNumber', [quantity(number), false])
    return now?.hash === hash
  }

  /** Returns `undefined` if hashes are not supported. */
  async function readByHash<T>(
    block: Base,
    read: (address: BlockAddress) => Promise<T>,
  ): Promise<{ value: T } | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        const value = await read({ blockHash: block.hash })
        takesHashes = true
        return { value }
      } catch (error) {
        if (!isNetworkError(error, 'UPSTREAM_ERROR')) throw error
        if (takesHashes === undefined || isRefused(error)) {
          probing ??= probe().finally(() => {
            probing = undefined
          })
          takesHashes = await probing
        }
        if (!takesHashes) return undefined
        if (!(await hasBlock(block))) {
          onReorg()
          throw new NetworkError('UPSTREAM_REORGED', { block: block.number, hash: block.hash }, { cause: error })
        }
        // One of several nodes may not have the block yet.
        if (attempt === attemptLimit || !isDoubtful(error)) throw error
        await pause(clock, backoffMs(attempt, random))
      }
    }
  }

  return async (block, read) => {
    try {
      const found = takesHashes === false ? undefined : await readByHash(block, read)
      return found ? found.value : await read(quantity(block.number))
    } catch (error) {
      if (!isNetworkError(error, 'UPSTREAM_STATE_PRUNED')) throw error
      throw new NetworkError(error.kind, { block: `${block.number} (${block.hash})` }, { cause: error.cause })
    }
  }
}

/** Another URL may have taken over, which does not support them. */
function isRefused({ cause }: NetworkError): boolean {
  return cause instanceof UpstreamRpcError && cause.code === -32602
}

function isDoubtful({ cause }: NetworkError): boolean {
  return cause instanceof UpstreamRpcError && classifyError(cause) === 'doubtful'
}
