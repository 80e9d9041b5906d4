import type { Address } from '@understudy/evm'
import { NetworkError } from '../../shared/errors.ts'
import type { BlockTag } from '../../state/blockTag.ts'
import type { Database } from '../../storage/database.ts'
import { loadChangedAccounts } from '../../storage/records/state/localState.ts'
import { loadStoredBlock } from '../store/blockStore.ts'
import type { History } from './history.ts'

type Needs = {
  database: Pick<Database, 'queries'>
  history: Pick<History, 'resolve' | 'origin'>
  /** Returns `undefined` if upstream does not support the method. */
  ask(method: string, params: readonly unknown[]): Promise<unknown>
}

/** Maximum number of accounts in one answer. */
const accountLimit = 100_000

/** Maximum number of live blocks that are traced for one answer. */
const tracedLimit = 16n
const diffs = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }

/**
 * Returns the accounts that changed after `start` until `end`; without `end`, those that the block `start` changed. Throws
 * `UNSUPPORTED` for blocks before the fork, unless upstream answers.
 */
export type LoadModifiedAccounts = (start: BlockTag, end: BlockTag | undefined) => Promise<Address[]>

export function createModifiedAccounts({ database: { queries }, history, ask }: Needs): LoadModifiedAccounts {
  /** The number of the change that is the block; that of the fork for the block at which the network was forked. */
  async function seqOf(hash: Address, number: bigint): Promise<number> {
    const stored = await loadStoredBlock(queries, { hash })
    if (stored) return stored.seq
    if (number === history.origin.number) return 0
    throw new NetworkError('UNSUPPORTED', { what: 'a range of blocks that begins before the fork and ends after it' })
  }

  /** Those of few blocks by upstream's traces: some nodes have lost the method that lists them. */
  async function tracedAccounts(oldest: bigint, newest: bigint): Promise<Address[] | undefined> {
    if (newest - oldest > tracedLimit) return undefined
    const accounts = new Set<Address>()
    for (let number = oldest + 1n; number <= newest; number++) {
      const { hash } = await history.resolve({ number })
      const traces = await ask('debug_traceBlockByHash', [hash, diffs])
      if (!Array.isArray(traces)) return undefined
      for (const { result } of traces as { result?: Record<'pre' | 'post', object | undefined> }[]) {
        if (!result) return undefined
        for (const state of [result.pre, result.post])
          for (const address of Object.keys(state ?? {})) accounts.add(address.toLowerCase() as Address)
      }
    }
    return [...accounts]
  }

  return async (start, end) => {
    const newest = await history.resolve(end ?? start)
    const number = end === undefined ? newest.number - 1n : (await history.resolve(start)).number
    if (number >= newest.number)
      throw new NetworkError('INVALID_PARAMS', { field: 'params[1]', problem: 'is not after the first block' })
    const oldest = await history.resolve({ number })
    if (newest.origin === 'upstream') {
      const there = await ask('debug_getModifiedAccountsByHash', [oldest.hash, newest.hash])
      if (Array.isArray(there)) return there as Address[]
      const traced = await tracedAccounts(oldest.number, newest.number)
      if (traced) return traced
      throw new NetworkError('UNSUPPORTED', { what: 'changes of blocks before the fork: upstream does not list them' })
    }
    const [first, last] = [await seqOf(oldest.hash, oldest.number), await seqOf(newest.hash, newest.number)]
    const found = await loadChangedAccounts(queries, first, last, accountLimit + 1)
    if (found.length <= accountLimit) return found
    throw new NetworkError('LIMIT_EXCEEDED', { what: 'the blocks changed too many accounts', limit: accountLimit })
  }
}
