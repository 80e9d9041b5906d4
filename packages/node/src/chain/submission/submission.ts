import type { Address, Hex, OverrideTable, Word } from '@understudy/evm'
import { decodeSent, isDeposit } from '../../ethereum/decodeTransaction.ts'
import { type BlobSidecar, withSidecar } from '../../ethereum/encodings/blobSidecar.ts'
import type { Hardforks } from '../../ethereum/rules.ts'
import type { SentTransaction, Transaction } from '../../ethereum/transaction.ts'
import type { CallRequest, Execution, ExecutionPoint } from '../../execution/execution.ts'
import type { Senders } from '../../senders/senders.ts'
import { chain, type MaybePromise, settle } from '../../shared/async/maybePromise.ts'
import { createKeyedMutex } from '../../shared/async/mutex.ts'
import type { Engine } from '../../shared/engine.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { Events } from '../../shared/events.ts'
import type { State } from '../../state/state.ts'
import { accountField, loadAccountField } from '../../state/view.ts'
import type { Database } from '../../storage/database.ts'
import { loadPendingTransactions } from '../../storage/records/chain/pendingTransactions.ts'
import { loadTransaction } from '../../storage/records/chain/transactions.ts'
import type { Blobs, TransactionRequest } from '../blobs/blobs.ts'
import type { ChainEvents } from '../chainEvents.ts'
import type { History } from '../history/history.ts'
import type { Pool, PoolEntry } from '../pool/pool.ts'
import { loadPoolContent, type SenderContent } from '../pool/poolContent.ts'
import type { MiningControl } from '../sealing/mining.ts'
import type { Sealer } from '../sealing/sealer.ts'
import { createAdmission, type Entered } from './admission.ts'
import { requireConditions, type TransactionConditions } from './conditions.ts'
import { type SuggestedFees, suggestFees } from './suggestedFees.ts'
import type { SuggestTip } from './suggestedTip.ts'
import {
  type FilledTransaction,
  fillTransaction,
  type SenderRequest,
  signedFromRequest,
  type TransactionNeeds,
  transactionFromRequest,
} from './transactionRequest.ts'

/** What who sends an encoded transaction may do: a deposit makes ether, as `dev_setBalance` does. */
export type SenderRights = { mayMint: boolean }

/** Decodes a transaction as it is sent. Throws `TRANSACTION_INVALID`, `DEPOSIT_REFUSED`, `UNAUTHORIZED`. */
export type DecodeRaw = (encoded: Hex, rights?: SenderRights) => SentTransaction

/** Accepts transactions, and holds those that wait for a block. What needs no state that has to be loaded enters the pool at once. */
export type Submission = {
  /**
   * Adds a signed transaction in its EIP-2718 encoding, with or without its blobs, or a deposit. In instant mode, resolves when
   * it is sealed; otherwise when it is durable in the pool. Throws `TRANSACTION_INVALID`, `DEPOSIT_REFUSED`, `UNAUTHORIZED`.
   */
  submitRaw(encoded: Hex, rights?: SenderRights): MaybePromise<Word>
  /** Like `submitRaw`, if the conditions hold now. Throws `CONDITION_FAILED`. */
  submitConditional(encoded: Hex, conditions: TransactionConditions, rights?: SenderRights): Promise<Word>
  /** Decodes what `submitRaw` accepts; throws as it does. */
  decodeRaw: DecodeRaw
  /**
   * Replaces a pending transaction by one with another price or gas limit. Throws `NOT_FOUND` if no transaction with the
   * nonce, recipient, value and data of `request` is pending.
   */
  resend(request: CallRequest, changes: { gasPrice?: bigint | undefined; gas?: bigint | undefined }): MaybePromise<Word>
  /** The pending transaction of a sender with a nonce. */
  findPending(address: Address, nonce: bigint): Transaction | undefined
  /** The hash of such a transaction when it has arrived: it waits, or was sealed. */
  findSent(encoded: Hex): Promise<Word | undefined>
  /** Fills in a request, signs it (with a placeholder signature for an impersonated sender) and submits it. */
  send(request: TransactionRequest): MaybePromise<Word>
  /** Fills in a request without sending it. */
  fill(request: TransactionRequest): Promise<WithBlobs<FilledTransaction>>
  /**
   * Like `fill`, but also signs. Throws `NOT_IMPERSONATED`, and `UNSUPPORTED` for senders whose key the network does
   * not hold. `raw` has the blobs.
   */
  sign(request: TransactionRequest): Promise<WithBlobs<{ transaction: Transaction; raw: Hex }>>
  suggestTip: SuggestTip
  suggestFees(): Promise<SuggestedFees>
  /** The sender's next nonce, counting pending transactions. */
  pendingNonce(address: Address): MaybePromise<bigint>
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
  history: Pick<History, 'at' | 'next' | 'head' | 'pendingHeader' | 'chainId' | 'loadTransaction' | 'loadFeeHistory'>
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
  const { pool, blobs, history, sealer, state, suggestTip } = needs
  const { queries } = needs.database
  const decodeRaw = createRawDecoder(options, needs)

  const { enter, isSealed, store } = createAdmission(needs)
  /** Transactions of one sender are built one at a time, so that each gets the next nonce. */
  const sends = createKeyedMutex<Address | undefined>()

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

  const { transactionFor, fillFrom, signFrom, senderOf, nonceOf, pendingNonce } = createBuilder(needs, isSealed)

  const submission: Submission = {
    decodeRaw,
    submitRaw(encoded, rights) {
      const { transaction, sidecar } = decodeRaw(encoded, rights)
      const keepBlobs = async (given: BlobSidecar) => {
        await blobs.verify(given)
        await blobs.store(given)
      }
      return chain(enter(transaction, sidecar && (() => keepBlobs(sidecar))), whenSettled)
    },
    async submitConditional(encoded, conditions, rights) {
      await requireConditions(conditions, history)
      return submission.submitRaw(encoded, rights)
    },
    resend(request, { gasPrice, gas }) {
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
    send: (given) =>
      chain(blobs.take(given, { withProofs: false }), ({ request, sidecar }) => {
        const keepBlobs = sidecar && (() => blobs.store(sidecar))
        const send = () => chain(transactionFor(request), (transaction) => enter(transaction, keepBlobs))
        return chain(sends.run(senderOf(request), send), whenSettled)
      }),
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
    suggestFees: () => suggestFees(needs),
    pendingNonce,
    poolSize: () => pool.size,
    loadPending: () => loadPoolContent(pool, nonceOf),
    drop: (which) => state.exclusive(() => drop(pool.select(which))),
    dropUsed: () => state.exclusive(dropUsedNow),
  }
  return { ...submission, transactionFor, store, dropUsedNow }
}

/** Builds transactions from requests, on the pending state. `isSealed`: whether a block has the transaction already. */
function createBuilder(
  { pool, history, sealer, state, execution, senders, suggestTip }: Needs,
  isSealed: (transaction: Transaction) => MaybePromise<boolean>,
) {
  /** Estimated on the newest state. What fails there may succeed after those that wait, as a swap after its approval. */
  function estimateGas(request: CallRequest): MaybePromise<bigint> {
    return settle(
      () => execution.estimateGas(request, history.next()),
      (gas) => gas,
      (error) => {
        if (pool.size === 0) throw error
        return chain(history.at('pending'), (point) => execution.estimateGas(request, point))
      },
    )
  }

  /** The first funded account if the request names none. */
  const senderOf = ({ from }: CallRequest) => from ?? senders.funded()[0]

  /** Builds a transaction from a request on the pending state. */
  const fromRequest =
    <Result>(make: (request: SenderRequest, point: ExecutionPoint, needs: TransactionNeeds) => MaybePromise<Result>) =>
    (request: CallRequest): MaybePromise<Result> => {
      const from = senderOf(request)
      if (!from) throw new NetworkError('INVALID_PARAMS', { field: 'params[0].from', problem: 'is missing' })
      return chain(pendingNonce(from), (nonce) => {
        const { chainId } = history
        return make({ ...request, from }, history.next(), { estimateGas, senders, chainId, nonce, suggestTip })
      })
    }
  const transactionFrom = fromRequest(transactionFromRequest)
  /** Who asks the network for a transaction means a new one, also where its nonce comes again. */
  const anotherFrom = fromRequest((given, point, known) =>
    transactionFromRequest(given, point, { ...known, salt: sealer.head.hash }),
  )
  const transactionFor = (request: CallRequest): MaybePromise<Transaction> =>
    chain(transactionFrom(request), (transaction) =>
      chain(isSealed(transaction), (sealed) => (sealed ? anotherFrom(request) : transaction)),
    )
  const fillFrom = fromRequest(fillTransaction)
  const signFrom = fromRequest(signedFromRequest)

  const nonceOf = (address: Address) => loadAccountField(state.latest(), address, 'nonce')

  function pendingNonce(address: Address): MaybePromise<bigint> {
    return chain(nonceOf(address), (loaded) =>
      // A block may have taken pending transactions since it was read: the nonce and the pool are read in one step.
      pool.nextNonce(address, accountField(state.latest(), address, 'nonce') ?? loaded),
    )
  }

  return { transactionFor, fillFrom, signFrom, senderOf, nonceOf, pendingNonce }
}

const whenSettled = ({ settled }: Entered) => settled

/** Whether a transaction does what the request asks for. */
function isSame({ to, value, data }: Transaction, request: CallRequest): boolean {
  const isSameData = Buffer.from(data).equals(request.data ?? new Uint8Array())
  return to === request.to && value === (request.value ?? 0n) && isSameData
}

/** `acceptDeposits`: whether deposits can be sent, on chains that have them. */
function createRawDecoder(
  { acceptDeposits }: { acceptDeposits: boolean },
  { hardforks, history }: Pick<Needs, 'hardforks' | 'history'>,
): DecodeRaw {
  function requireDeposits({ mayMint }: SenderRights): void {
    const isOfChain = hardforks(history.next().block).optimism
    if (!isOfChain || !acceptDeposits)
      throw new NetworkError('DEPOSIT_REFUSED', { problem: isOfChain ? notAccepted : notOfChain })
    if (!mayMint) throw new NetworkError('UNAUTHORIZED', { problem: unauthorized })
  }

  return (encoded, rights = { mayMint: false }) => {
    if (isDeposit(encoded)) requireDeposits(rights)
    return decodeSent(encoded)
  }
}

const notAccepted = 'start the network with --accept-deposits to send some'
const notOfChain = 'only chains of the OP Stack have some, and this is none. --chain-profile says what a chain is'
const unauthorized = 'a deposit makes ether: sending one needs a key with the role admin'
