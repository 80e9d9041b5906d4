import type { Address, Hex, Missing, OverrideTable, Word } from '@understudy/evm'
import { decodeTransaction } from '../../ethereum/decodeTransaction.ts'
import type { Transaction } from '../../ethereum/transaction.ts'
import type { Execution } from '../../execution/execution.ts'
import type { Senders } from '../../senders/senders.ts'
import { type RequestBudget, withBudget } from '../../shared/budget/requestBudget.ts'
import type { Engine } from '../../shared/engine.ts'
import type { KeyedMutex } from '../../shared/mutex.ts'
import type { State } from '../../state/state.ts'
import type { LoadingView } from '../../state/view.ts'
import type { TransactionRequest } from '../blobs/blobs.ts'
import type { History } from '../history/history.ts'
import type { AheadRun } from '../sealing/aheadRun.ts'
import type { MiningControl } from '../sealing/mining.ts'
import type { Sealer } from '../sealing/sealer.ts'
import { admitNow } from './admission.ts'
import type { Pool, PoolOutcome } from './pool.ts'
import type { SuggestTip } from './suggestedTip.ts'
import { needsTip, transactionFromComplete } from './transactionRequest.ts'

/**
 * What begins at once, for most transactions: without blobs and authorizations, in instant mode, and with a short run on what is in
 * memory. `undefined` for others, and for those that cannot run: nothing has happened then, and the other methods do the
 * same or say what is wrong. `budget` is that of its client, without cancellation.
 */
export type UsualSubmission = {
  /** As `Submission.submitRaw`. */
  submitUsual(encoded: Hex, budget: RequestBudget): Promise<Word> | undefined
  /** As `Submission.send`. */
  sendUsual(request: TransactionRequest, budget: RequestBudget): Promise<Word> | undefined
}

type Needs = {
  pool: Pick<Pool, 'get' | 'nextNonce'>
  mining: Pick<MiningControl, 'mode'>
  history: Pick<History, 'next' | 'chainId'>
  sealer: Pick<Sealer, 'head'>
  state: Pick<State, 'noncesMayRepeat'>
  engine: Engine
  execution: Pick<Execution, 'estimateTransferNow'>
  senders: Senders
  suggestTip: SuggestTip
  /** The turns of senders whose transactions are built in the way of all others. */
  sends: Pick<KeyedMutex<Address | undefined>, 'isBusy'>
  overrides: () => OverrideTable | undefined
  addToPool: Pool['add']
  /** The way of all other transactions. */
  submitRaw(encoded: Hex): Promise<Word>
}

/** Submits most transactions with one promise each. */
export function createUsualSubmission(needs: Needs): UsualSubmission {
  const { pool, mining, history, sealer, state, execution, senders, suggestTip, sends, addToPool, submitRaw } = needs
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
    mining.mode().type === 'instant' && chainId === history.chainId && !pool.get(hash) && !state.noncesMayRepeat()

  function addLoaded(transaction: Transaction, budget: RequestBudget): Promise<Word> {
    const run = mayBegin(transaction) ? admitNow(transaction, history.next(), needs) : undefined
    return run && !('type' in run)
      ? add(transaction, run, budget)
      : withBudget(budget, () => submitRaw(transaction.raw))
  }

  /** The transaction of a request, if nothing has to be asked for it. */
  function transactionFrom(request: TransactionRequest): Transaction | undefined {
    const { from, to, maxFeePerBlobGas } = request
    if (!from || sends.isBusy(from) || maxFeePerBlobGas !== undefined) return undefined
    const point = history.next()
    const account = point.view.account(from)
    const tip = needsTip(request) ? suggestTip() : undefined
    if (tip instanceof Promise) {
      // The way of all others waits for the same answer, and says what is wrong.
      tip.catch(() => {})
      return undefined
    }
    if (!account) return undefined
    // Without data and gas it is a transfer, or the receiving function of a contract.
    const gas = request.gas ?? (to && execution.estimateTransferNow(request, point))
    if (gas === undefined) return undefined
    const { chainId } = history
    const nonce = pool.nextNonce(from, account.nonce)
    return transactionFromComplete({ ...request, from }, point, { gas, tip, chainId, nonce, senders })
  }

  return {
    submitUsual(encoded, budget) {
      if (mining.mode().type !== 'instant') return undefined
      const transaction = decodeQuickly(encoded)
      if (!transaction || !mayBegin(transaction)) return undefined
      const point = history.next()
      const run = admitNow(transaction, point, needs)
      if (!run) return undefined
      if (!('type' in run)) return add(transaction, run, budget)
      if (!lacksOnlyAccounts(run) || transaction.data.length > 0) return undefined
      const end = () => addLoaded(transaction, budget)
      return loadTogether(run.accounts, point.view, budget).then(end, end)
    },
    sendUsual(request, budget) {
      if (mining.mode().type !== 'instant') return undefined
      const transaction = transactionFrom(request)
      if (!transaction || !mayBegin(transaction)) return undefined
      const run = admitNow(transaction, history.next(), needs)
      return run && !('type' in run) ? add(transaction, run, budget) : undefined
    },
  }
}

/** Of types whose decoding is short; `undefined` for others, and for what is invalid: `submitRaw` says what is wrong. */
function decodeQuickly(encoded: Hex): Transaction | undefined {
  if (encoded.startsWith('0x03') || encoded.startsWith('0x04')) return undefined
  try {
    return decodeTransaction(encoded)
  } catch {
    return undefined
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
