import type { Address, Hex, OverrideTable, Word } from '@understudy/evm'
import { decodeSent } from '../../ethereum/decodeTransaction.ts'
import { type BlobSidecar, withSidecar } from '../../ethereum/encodings/blobSidecar.ts'
import type { Hardforks } from '../../ethereum/rules.ts'
import type { Transaction } from '../../ethereum/transaction.ts'
import type { CallRequest, Execution, ExecutionPoint } from '../../execution/execution.ts'
import type { Senders } from '../../senders/senders.ts'
import { currentBudget } from '../../shared/budget/requestBudget.ts'
import type { Engine } from '../../shared/engine.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { Events } from '../../shared/events.ts'
import { createKeyedMutex } from '../../shared/mutex.ts'
import type { State } from '../../state/state.ts'
import { accountField, loadAccountField } from '../../state/view.ts'
import type { Database } from '../../storage/database.ts'
import { loadPendingTransactions } from '../../storage/records/chain/pendingTransactions.ts'
import { hasTransaction, loadTransaction } from '../../storage/records/chain/transactions.ts'
import type { Blobs, TransactionRequest } from '../blobs/blobs.ts'
import type { ChainEvents } from '../chainEvents.ts'
import type { History } from '../history/history.ts'
import type { MiningControl } from '../sealing/mining.ts'
import type { Sealer } from '../sealing/sealer.ts'
import { admit } from './admission.ts'
import { requireConditions, type TransactionConditions } from './conditions.ts'
import type { Pool, PoolEntry, PoolOutcome } from './pool.ts'
import { loadPoolContent, type SenderContent } from './poolContent.ts'
import { createRawDecoder, type DecodeRaw, type SenderRights } from './rawDecoder.ts'
import { createStoring } from './storing.ts'
import type { SuggestTip } from './suggestedTip.ts'
import {
  type FilledTransaction,
  fillTransaction,
  type SenderRequest,
  signedFromRequest,
  type TransactionNeeds,
  transactionFromRequest,
} from './transactionRequest.ts'
import { createUsualSubmission, type UsualSubmission } from './usualSubmission.ts'

/** Accepts transactions, and holds those that wait for a block. */
export type Submission = UsualSubmission & {
  /**
   * Adds a signed transaction in its EIP-2718 encoding, with or without its blobs, or a deposit. In instant mode, resolves when
   * it is sealed; otherwise when it is durable in the pool. Throws `TRANSACTION_INVALID`, `DEPOSIT_REFUSED`, `UNAUTHORIZED`.
   */
  submitRaw(encoded: Hex, rights?: SenderRights): Promise<Word>
  /** Like `submitRaw`, if the conditions hold now. Throws `CONDITION_FAILED`. */
  submitConditional(encoded: Hex, conditions: TransactionConditions, rights?: SenderRights): Promise<Word>
  /** Decodes what `submitRaw` accepts; throws as it does. */
  decodeRaw: DecodeRaw
  /**
   * Replaces a pending transaction by one with another price or gas limit. Throws `NOT_FOUND` if no transaction with the
   * nonce, recipient, value and data of `request` is pending.
   */
  resend(request: CallRequest, changes: { gasPrice?: bigint | undefined; gas?: bigint | undefined }): Promise<Word>
  /** The pending transaction of a sender with a nonce. */
  findPending(address: Address, nonce: bigint): Transaction | undefined
  /** The hash of such a transaction when it has arrived: it waits, or was sealed. */
  findSent(encoded: Hex): Promise<Word | undefined>
  /** Fills in a request, signs it (with a placeholder signature for an impersonated sender) and submits it. */
  send(request: TransactionRequest): Promise<Word>
  /** Fills in a request without sending it. */
  fill(request: TransactionRequest): Promise<WithBlobs<FilledTransaction>>
  /**
   * Like `fill`, but also signs. Throws `NOT_IMPERSONATED`, and `UNSUPPORTED` for senders whose key the network does
   * not hold. `raw` has the blobs.
   */
  sign(request: TransactionRequest): Promise<WithBlobs<{ transaction: Transaction; raw: Hex }>>
  suggestTip: SuggestTip
  /** The sender's next nonce, counting pending transactions. */
  pendingNonce(address: Address): Promise<bigint>
  /** Like `pendingNonce`, for an account whose nonce is known. */
  nonceAfter(address: Address, nonce: bigint): bigint
  /** The number of pending transactions. */
  poolSize(): number
  /** Pending transactions by sender. */
  loadPending(): Promise<SenderContent[]>
  /** Removes transactions from the pool: one, those of a sender, or all. Returns their number. */
  drop(which: { hash: Word } | { sender: Address } | 'all'): Promise<number>
  /** Removes transactions from the pool whose nonces are used: no block can have them. */
  dropUsed(): Promise<void>
}

/** `sidecar`: the blobs of the request, with their commitments and proofs. */
type WithBlobs<Result> = Result & { sidecar: BlobSidecar | undefined }

type Needs = {
  database: Pick<Database, 'queries'>
  blobs: Pick<Blobs, 'verify' | 'take' | 'store'>
  pool: Pool
  mining: Pick<MiningControl, 'mode' | 'store'>
  history: Pick<History, 'at' | 'next' | 'head' | 'chainId' | 'loadTransaction'>
  hardforks: Hardforks
  sealer: Sealer
  state: State
  engine: Engine
  /** The enabled function overrides. */
  overrides: () => OverrideTable | undefined
  execution: Execution
  senders: Senders
  events: Events<ChainEvents>
  suggestTip: SuggestTip
}

export function createSubmission(options: { acceptDeposits: boolean }, needs: Needs) {
  const { pool, blobs, mining, history, sealer, state, execution, senders, events, suggestTip } = needs
  const { queries } = needs.database
  const decodeRaw = createRawDecoder(options, needs)

  const store = createStoring(needs)
  const addToPool: Pool['add'] = (transaction, settle, details) => {
    pool.add(transaction, settle, details)
    events.emit('pending', transaction)
    store(transaction.hash)
  }
  /** Transactions of one sender are built one at a time, so that each gets the next nonce. */
  const sends = createKeyedMutex<Address | undefined>()
  const usual = createUsualSubmission({
    ...needs,
    sends,
    addToPool,
    submitRaw: (encoded) => submission.submitRaw(encoded),
  })

  /** A block may have it: a deposit has no nonce, and that of another may be the next one again. */
  async function isSealed({ hash, deposit }: Transaction): Promise<boolean> {
    if (deposit) return (await history.loadTransaction(hash)) !== undefined
    return state.noncesMayRepeat() && (await hasTransaction(queries, hash))
  }

  /** Those that are looked for in blocks, and then are in the pool. */
  const entering = new Set<Word>()

  /**
   * Admits a transaction to the pool; `outcome` resolves with its outcome. `keepBlobs` takes long: it is called for
   * transactions that can run.
   */
  async function enter(
    transaction: Transaction,
    keepBlobs?: () => Promise<void>,
  ): Promise<{ hash: Word; outcome: Promise<PoolOutcome> }> {
    const base = sealer.head.base.hash
    const later = mining.mode().type !== 'instant'
    const { run, isHeavy } = await admit(transaction, history.next(), { ...needs, chainId: history.chainId, later })
    const { hash } = transaction
    if (pool.get(hash) || entering.has(hash)) throw new NetworkError('ALREADY_KNOWN', {})
    entering.add(hash)
    try {
      if (await isSealed(transaction)) throw new NetworkError('ALREADY_KNOWN', {})
      await keepBlobs?.()
    } finally {
      entering.delete(hash)
    }
    const reads = run && { base, state: run.reads }
    const budget = currentBudget()?.withoutCancellation()
    // In other modes it waits for long, and a run may be large.
    const ahead = run && !later ? { attempts: 0, cancel() {}, run } : undefined
    const outcome = new Promise<PoolOutcome>((settle) =>
      addToPool(transaction, settle, { reads, isHeavy, budget, ahead }),
    )
    return { hash, outcome }
  }

  async function drop(entries: readonly PoolEntry[]): Promise<number> {
    await sealer.drop(entries)
    for (const entry of entries) entry.settle({ type: 'queued' })
    return entries.length
  }

  async function dropUsedNow(): Promise<void> {
    const used: PoolEntry[] = []
    for (const sender of pool.senders()) {
      const nonce = await nonceOf(sender)
      for (const entry of pool.ofSender(sender)?.values() ?? []) if (entry.transaction.nonce < nonce) used.push(entry)
    }
    await drop(used)
  }

  async function hashWhenSettled(entered: ReturnType<typeof enter>): Promise<Word> {
    const { hash, outcome } = await entered
    const settled = await outcome
    if (settled.type === 'refused') throw settled.error
    return hash
  }

  /** Estimated on the newest state. What fails there may succeed after those that wait, as a swap after its approval. */
  async function estimateGas(request: CallRequest): Promise<bigint> {
    try {
      return await execution.estimateGas(request, history.next())
    } catch (error) {
      if (pool.size === 0) throw error
      return execution.estimateGas(request, await history.at('pending'))
    }
  }

  /** The first funded account if the request names none. */
  const senderOf = ({ from }: CallRequest) => from ?? senders.funded()[0]

  /** Builds a transaction from a request on the pending state. */
  const fromRequest =
    <Result>(make: (request: SenderRequest, point: ExecutionPoint, needs: TransactionNeeds) => Promise<Result>) =>
    async (request: CallRequest): Promise<Result> => {
      const from = senderOf(request)
      if (!from) throw new NetworkError('INVALID_PARAMS', { field: 'params[0].from', problem: 'is missing' })
      const nonce = await pendingNonce(from)
      const { chainId } = history
      return make({ ...request, from }, history.next(), { estimateGas, senders, chainId, nonce, suggestTip })
    }
  const transactionFor = async (request: CallRequest): Promise<Transaction> => {
    const transaction = await fromRequest(transactionFromRequest)(request)
    if (!(await isSealed(transaction))) return transaction
    // Who asks the network for a transaction means a new one, also where its nonce comes again.
    return fromRequest((given, point, known) =>
      transactionFromRequest(given, point, { ...known, salt: sealer.head.hash }),
    )(request)
  }
  const fillFrom = fromRequest(fillTransaction)
  const signFrom = fromRequest(signedFromRequest)

  const nonceOf = (address: Address) => loadAccountField(state.latest(), address, 'nonce')

  async function pendingNonce(address: Address): Promise<bigint> {
    const loaded = await nonceOf(address)
    // A block may have taken pending transactions since it was read: the nonce and the pool are read in one step.
    return pool.nextNonce(address, accountField(state.latest(), address, 'nonce') ?? loaded)
  }

  const submission: Submission = {
    decodeRaw,
    async submitRaw(encoded, rights) {
      const { transaction, sidecar } = decodeRaw(encoded, rights)
      const keepBlobs = async () => {
        if (!sidecar) return
        await blobs.verify(sidecar)
        await blobs.store(sidecar)
      }
      return hashWhenSettled(enter(transaction, sidecar && keepBlobs))
    },
    ...usual,
    async submitConditional(encoded, conditions, rights) {
      await requireConditions(conditions, history)
      return submission.submitRaw(encoded, rights)
    },
    async resend(request, { gasPrice, gas }) {
      const { nonce } = request
      const from = senderOf(request)
      const found = from && nonce !== undefined ? submission.findPending(from, nonce) : undefined
      if (!found || !isSame(found, request))
        throw new NetworkError('NOT_FOUND', { resource: 'pending transaction', id: String(nonce) })
      const { gasPrice: _, maxFeePerGas: __, maxPriorityFeePerGas: ___, ...unpriced } = request
      const priced = gasPrice === undefined ? request : { ...unpriced, gasPrice }
      return submission.send(gas === undefined ? priced : { ...priced, gas })
    },
    findPending: (address, nonce) =>
      [...(pool.ofSender(address)?.values() ?? [])].find(({ transaction }) => transaction.nonce === nonce)?.transaction,
    async findSent(encoded) {
      const { hash } = decodeSent(encoded).transaction
      const isKnown = (await loadTransaction(queries, hash)) ?? (await loadPendingTransactions(queries, [hash]))[0]
      return isKnown && hash
    },
    async send(given) {
      const { request, sidecar } = await blobs.take(given, { withProofs: false })
      const keepBlobs = sidecar && (() => blobs.store(sidecar))
      return hashWhenSettled(sends.run(senderOf(request), async () => enter(await transactionFor(request), keepBlobs)))
    },
    async fill(given) {
      const { request, sidecar } = await blobs.take(given, { withProofs: true })
      return { ...(await fillFrom(request)), sidecar }
    },
    async sign(given) {
      const { request, sidecar } = await blobs.take(given, { withProofs: true })
      const transaction = await signFrom(request)
      return { transaction, raw: sidecar ? withSidecar(transaction.raw, sidecar) : transaction.raw, sidecar }
    },
    suggestTip,
    pendingNonce,
    nonceAfter: (address, nonce) => pool.nextNonce(address, nonce),
    poolSize: () => pool.size,
    loadPending: () => loadPoolContent(pool, nonceOf),
    drop: (which) => state.exclusive(() => drop(pool.select(which))),
    dropUsed: () => state.exclusive(dropUsedNow),
  }
  return { ...submission, transactionFor, store, dropUsedNow }
}

/** Whether a transaction does what the request asks for. */
function isSame({ to, value, data }: Transaction, request: CallRequest): boolean {
  const isSameData = Buffer.from(data).equals(request.data ?? new Uint8Array())
  return to === request.to && value === (request.value ?? 0n) && isSameData
}
