import type { Word } from '@understudy/evm'
import type { Transaction } from '../../ethereum/transaction.ts'
import type { ExecutionPoint } from '../../execution/execution.ts'
import { chain, type MaybePromise, settle } from '../../shared/async/maybePromise.ts'
import { ComputingTime } from '../../shared/budget/computingTime.ts'
import { currentBudget } from '../../shared/budget/requestBudget.ts'
import { isNetworkError, NetworkError } from '../../shared/errors.ts'
import type { Events } from '../../shared/events.ts'
import type { State } from '../../state/state.ts'
import type { Database } from '../../storage/database.ts'
import { hasTransaction } from '../../storage/records/chain/transactions.ts'
import type { ChainEvents } from '../chainEvents.ts'
import type { History } from '../history/history.ts'
import type { Pool, PoolOutcome } from '../pool/pool.ts'
import { type AheadNeeds, type AheadRun, runAhead } from '../run/aheadRun.ts'
import { messageFrom } from '../run/blockContext.ts'
import type { MiningControl } from '../sealing/mining.ts'
import type { Sealer } from '../sealing/sealer.ts'

/** How long a transaction runs before it is admitted; other state that it needs is loaded when it is sealed. */
const tryMs = 100

/** A transaction in the pool: resolves with its hash when it is sealed, or waits durably. Rejects if it is refused. */
export type Entered = { settled: Promise<Word> }

type Needs = AheadNeeds & {
  database: Pick<Database, 'queries'>
  pool: Pool
  mining: Pick<MiningControl, 'mode' | 'store'>
  history: Pick<History, 'next' | 'chainId' | 'loadTransaction'>
  sealer: Pick<Sealer, 'head'>
  state: Pick<State, 'noncesMayRepeat'>
  events: Events<ChainEvents>
}

export function createAdmission(needs: Needs) {
  const { pool, mining, history, sealer, state, events } = needs
  const { queries } = needs.database
  const store = createStoring(needs)

  /** A block may have it: a deposit has no nonce, and that of another may be the next one again. */
  function isSealed({ hash, deposit }: Transaction): MaybePromise<boolean> {
    if (deposit) return chain(history.loadTransaction(hash), (found) => found !== undefined)
    return state.noncesMayRepeat() && hasTransaction(queries, hash)
  }

  /** Those that are looked for in blocks, and then are in the pool. */
  const entering = new Set<Word>()

  /** Admits a transaction to the pool. `keepBlobs` takes long: it is called for transactions that can run. */
  function enter(transaction: Transaction, keepBlobs?: () => Promise<void>): MaybePromise<Entered> {
    const { hash } = transaction
    const base = sealer.head.base.hash
    const later = mining.mode().type !== 'instant'
    const { chainId } = history
    return chain(admit(transaction, history.next(), { chainId, later }, needs), ({ run, isHeavy }) => {
      const reads = run && { base, state: run.reads }
      // In other modes it waits for long, and a run may be large.
      const ahead = run && !later ? { attempts: 0, cancel() {}, run } : undefined
      const add = (): Entered => {
        const budget = currentBudget()?.withoutCancellation()
        const settled = new Promise<Word>((resolve, reject) => {
          const notify = (outcome: PoolOutcome) => (outcome.type === 'refused' ? reject(outcome.error) : resolve(hash))
          pool.add(transaction, notify, { reads, isHeavy, budget, ahead })
          events.emit('pending', transaction)
          store(hash)
        })
        return { settled }
      }
      if (pool.get(hash) || entering.has(hash)) throw new NetworkError('ALREADY_KNOWN', {})
      const sealed = isSealed(transaction)
      return sealed === false && !keepBlobs ? add() : enterChecked(hash, sealed, keepBlobs, add)
    })
  }

  async function enterChecked(
    hash: Word,
    sealed: MaybePromise<boolean>,
    keepBlobs: (() => Promise<void>) | undefined,
    add: () => Entered,
  ): Promise<Entered> {
    entering.add(hash)
    try {
      if (await sealed) throw new NetworkError('ALREADY_KNOWN', {})
      await keepBlobs?.()
    } finally {
      entering.delete(hash)
    }
    return add()
  }

  return { enter, isSealed, store }
}

/** Returns what makes a transaction of the pool durable. It is refused if that fails. */
function createStoring({ mining, pool }: Pick<Needs, 'mining' | 'pool'>): (hash: Word) => void {
  /** What is waited for, and for which transactions: those that share a commit need not each wait. */
  let storing: { done: Promise<void>; hashes: Word[] } | undefined

  function refuseUnstored(hash: Word, error: unknown): void {
    const entry = pool.get(hash)
    if (!entry || entry.stored) return
    pool.remove(entry)
    entry.settle({ type: 'refused', error })
  }

  return (hash) => {
    const done = mining.store()
    if (storing?.done === done) {
      storing.hashes.push(hash)
      return
    }
    const hashes = [hash]
    storing = { done, hashes }
    done.catch((error) => {
      for (const each of hashes) refuseUnstored(each, error)
    })
  }
}

type Admitted = { run: AheadRun | undefined; isHeavy: boolean }

/**
 * Rejects a transaction that can never run, as geth's pool does, and loads the state that it needs, so that sealing
 * does not wait for upstream. `later` accepts a base fee that is too high now.
 * @returns the run, if the transaction ran to its end, and whether it takes long.
 */
function admit(
  transaction: Transaction,
  { block, view }: ExecutionPoint,
  { chainId, later }: { chainId: bigint; later: boolean },
  needs: AheadNeeds,
): MaybePromise<Admitted> {
  if (transaction.chainId !== undefined && transaction.chainId !== chainId)
    throw new NetworkError('TRANSACTION_INVALID', {
      text: `invalid chain id for signer: have ${transaction.chainId} want ${chainId}`,
    })
  return settle(
    () => runAhead(messageFrom(transaction, block), block, view, needs, { time: new ComputingTime(tryMs) }),
    (run): Admitted => ({ run, isHeavy: false }),
    (error) => {
      const isHeavy = isNetworkError(error, 'EXECUTION_TOO_LONG')
      const mayRunLater = isNetworkError(error, 'NONCE_TOO_HIGH') || (later && isNetworkError(error, 'FEE_CAP_TOO_LOW'))
      if (isHeavy || mayRunLater) return { run: undefined, isHeavy }
      throw error
    },
  )
}
