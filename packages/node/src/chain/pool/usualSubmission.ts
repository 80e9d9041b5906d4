import type { Address, Hex, Missing, OverrideTable, Word } from '@understudy/evm'
import { usualTransaction } from '../../ethereum/decodeTransaction.ts'
import type { Transaction } from '../../ethereum/transaction.ts'
import { type RequestBudget, withBudget } from '../../shared/budget/requestBudget.ts'
import type { Engine } from '../../shared/engine.ts'
import type { LoadingView } from '../../state/view.ts'
import type { History } from '../history/history.ts'
import type { AheadRun } from '../sealing/aheadRun.ts'
import type { MiningControl } from '../sealing/mining.ts'
import type { Sealer } from '../sealing/sealer.ts'
import { admitNow } from './admission.ts'
import type { Pool, PoolOutcome } from './pool.ts'

type Needs = {
  pool: Pick<Pool, 'get'>
  mining: Pick<MiningControl, 'mode'>
  history: Pick<History, 'next' | 'chainId'>
  sealer: Pick<Sealer, 'head'>
  engine: Engine
  overrides: () => OverrideTable | undefined
  addToPool: Pool['add']
  /** The way of all other transactions. */
  submitRaw(encoded: Hex): Promise<Word>
}

/** Submits most transactions with one promise each; see `Submission.submitUsual`. */
export function createUsualSubmission(needs: Needs) {
  const { pool, mining, history, sealer, addToPool, submitRaw } = needs
  const loadTogether = createSharedLoads()

  function add(transaction: Transaction, run: AheadRun, budget: RequestBudget): Promise<Word> {
    const { hash } = transaction
    return new Promise((resolve, reject) => {
      const settle = (outcome: PoolOutcome) => (outcome.type === 'refused' ? reject(outcome.error) : resolve(hash))
      const reads = { base: sealer.head.base.hash, state: run.reads }
      addToPool(transaction, settle, { reads, budget, ahead: { attempts: 0, cancel() {}, run } })
    })
  }

  const mayBegin = ({ chainId, hash }: Transaction) =>
    mining.mode().type === 'instant' && chainId === history.chainId && !pool.get(hash)

  function addLoaded(transaction: Transaction, budget: RequestBudget): Promise<Word> {
    const run = mayBegin(transaction) ? admitNow(transaction, history.next(), needs) : undefined
    return run && !('type' in run)
      ? add(transaction, run, budget)
      : withBudget(budget, () => submitRaw(transaction.raw))
  }

  return (encoded: Hex, budget: RequestBudget): Promise<Word> | undefined => {
    if (mining.mode().type !== 'instant') return undefined
    const transaction = usualTransaction(encoded)
    if (!transaction || !mayBegin(transaction)) return undefined
    const point = history.next()
    const run = admitNow(transaction, point, needs)
    if (!run) return undefined
    if (!('type' in run)) return add(transaction, run, budget)
    if (!lacksOnlyAccounts(run) || transaction.data.length > 0) return undefined
    const end = () => addLoaded(transaction, budget)
    return loadTogether(run.accounts, point.view, budget).then(end, end)
  }
}

const lacksOnlyAccounts = ({ codes, slots, blockHashes, calls }: Missing) =>
  codes.length + slots.length + blockHashes.length + calls.length === 0

/** Returns what loads accounts into a view. Transactions that lack the same accounts share one load. */
function createSharedLoads() {
  let loading: { accounts: readonly Address[]; view: LoadingView; done: Promise<void> } | undefined
  return (accounts: readonly Address[], view: LoadingView, budget: RequestBudget): Promise<void> => {
    if (loading?.view === view && accounts.every((address) => loading?.accounts.includes(address))) return loading.done
    const done = withBudget(budget, () => view.load({ accounts, codes: [], slots: [], blockHashes: [] }))
    const begun = { accounts, view, done }
    loading = begun
    const end = () => {
      if (loading === begun) loading = undefined
    }
    done.then(end, end)
    return done
  }
}
