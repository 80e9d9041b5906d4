import type { Hex } from '@understudy/evm'
import type { Transaction } from '../../ethereum/transaction.ts'
import type { CallRequest } from '../../execution/execution.ts'
import type { MaybePromise } from '../../shared/async/maybePromise.ts'
import { withoutBudget } from '../../shared/budget/requestBudget.ts'
import { bytesFromHex } from '../../shared/hex.ts'
import { keccak } from '../../shared/keccak.ts'
import type { Pool, PoolOutcome } from '../pool/pool.ts'
import type { NextBlock } from '../sealing/nextBlock.ts'
import type { Sealer } from '../sealing/sealer.ts'
import type { DecodeRaw } from '../submission/submission.ts'
import type { Waiting } from './waiting.ts'

/**
 * Replaces as many of the latest blocks with new ones that contain these transactions, by block index, and drops the
 * old transactions. Those that wait go on waiting. Signed transactions that cannot be decoded are refused first. Throws if a transaction could not be
 * sealed; the blocks are replaced anyway.
 */
export type Reorg = (depth: bigint, transactions: ReadonlyMap<number, readonly (Hex | CallRequest)[]>) => Promise<void>

export type ReorgNeeds = {
  pool: Pool
  sealer: Sealer
  nextBlock: NextBlock
  submission: { transactionFor(request: CallRequest): MaybePromise<Transaction>; decodeRaw: DecodeRaw }
}

/** Replaces the latest blocks with others, to test how a client handles reorgs. Runs inside `state.exclusive`. */
export function createReorg(
  needs: ReorgNeeds & { rollback(depth: bigint): Promise<void>; waiting: Pick<Waiting, 'without'> },
): Reorg {
  const { pool, sealer, nextBlock, submission, rollback, waiting } = needs

  /** Adds transactions to the pool for the next block. Returns the reasons for refusals. */
  async function addAll(given: readonly (() => MaybePromise<Transaction>)[]): Promise<() => unknown[]> {
    const refused: unknown[] = []
    const settle = (outcome: PoolOutcome) => {
      if (outcome.type === 'refused') refused.push(outcome.error)
    }
    for (const each of given) {
      try {
        pool.add(await each(), settle)
      } catch (error) {
        refused.push(error)
      }
    }
    return () => refused
  }

  /** A request becomes a transaction where it is added: its nonce and fees depend on the block. */
  function toAdd(given: Hex | CallRequest): () => MaybePromise<Transaction> {
    if (typeof given !== 'string') return () => submission.transactionFor(given)
    const { transaction } = submission.decodeRaw(given, { mayMint: true })
    return () => transaction
  }

  return async (depth, transactions) => {
    const byBlock = new Map([...transactions].map(([index, given]) => [index, given.map(toAdd)]))
    const { hash } = sealer.head
    await rollback(depth)
    // The first new block must differ from the one it replaces, whatever its content.
    if (depth > 0n) nextBlock.set({ mixHash: keccak(bytesFromHex(hash)) })
    const problems: unknown[] = []
    await waiting.without(async () => {
      for (let index = 0; index < depth; index++) {
        const refused = await addAll(byBlock.get(index) ?? [])
        await withoutBudget(() => sealer.sealPool(undefined))
        problems.push(...refused())
      }
    })
    if (problems.length > 0) throw problems[0]
  }
}
