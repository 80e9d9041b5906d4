import type { Address, Word } from '@understudy/evm'
import { effectiveGasPrice, type Transaction } from '../../ethereum/transaction.ts'
import type { RequestBudget } from '../../shared/budget/requestBudget.ts'
import { isAnsweredError, NetworkError } from '../../shared/errors.ts'
import type { LoadingView, WantedState } from '../../state/view.ts'
import type { AheadRun } from '../run/aheadRun.ts'

/** The outcome of a transaction: sealed in a block, stored in the pool, or refused. */
export type PoolOutcome = { type: 'sealed' } | { type: 'queued' } | { type: 'refused'; error: unknown }

/** The upstream state that a transaction read, and its block. */
export type AdmittedReads = { base: Word; state: WantedState }

export type PoolEntry = {
  transaction: Transaction
  /** Orders entries of equal price. */
  arrival: number
  /** Whether it is stored in SQL. */
  stored: boolean
  /** What it read at admission, and at which upstream block; `undefined` if unknown. */
  reads: AdmittedReads | undefined
  /** The stored transactions that it replaces; they are deleted from SQL when it is stored or sealed. */
  replaces: Word[]
  /** The turn of the client that waits until it is sealed. */
  budget: RequestBudget | undefined
  /** It takes long: while a client waits for it, it runs before its block is opened. */
  isHeavy: boolean
  ahead: Ahead | undefined
  /** Notifies the sender; only the first call has an effect. */
  settle(outcome: PoolOutcome): void
}

/** The run of a transaction before its block: at admission, or in the turns of its client if it takes long. */
export type Ahead = {
  attempts: number
  cancel(): void
  /** The result of the last attempt, until it is used. */
  run: AheadRun | { error: unknown } | undefined
}

/**
 * What became of an entry at its turn. `skip` leaves out the rest of its sender's; `wait` gives it another turn after the
 * others, of which one may fund its sender.
 */
export type PoolTurn = 'executed' | 'skip' | 'wait'

/** Most turns of an entry in one block. */
const turnLimit = 16

/** What runs first: what pays the best tip, or what arrived first. A sender's transactions always run by nonce. */
export type PoolOrder = 'fees' | 'fifo'

/** By how much a replacement must raise each fee, as in geth: much for blobs, which are expensive to pass on. */
const [replacementPercent, blobReplacementPercent] = [10n, 100n]

/** The pending transactions of one sender. */
type SenderQueue = {
  byNonce: Map<bigint, PoolEntry>
  /** A range of nonces without gaps: `[first, end)`. Cached, so that adding to a long queue does not scan it. */
  first: bigint
  end: bigint
}

const none: ReadonlySet<PoolEntry> = new Set()

/**
 * Pending transactions: deposits (OP Stack) in their order of arrival, others by sender, in nonce order. The pool is only in
 * memory; the sealer stores what must survive.
 */
export class Pool {
  readonly #limit: number
  readonly #order: PoolOrder
  readonly #bySender = new Map<Address, SenderQueue>()
  readonly #byHash = new Map<Word, PoolEntry>()
  readonly #deposits = new Map<Address, Set<PoolEntry>>()
  readonly #unstored = new Set<PoolEntry>()
  #arrivals = 0
  #version = 0

  /** `limit`: maximum number of pending transactions. */
  constructor(limit: number, order: PoolOrder = 'fees') {
    this.#limit = limit
    this.#order = order
  }

  /** Changes with every entry that is added or removed. */
  get version(): number {
    return this.#version
  }

  get size(): number {
    return this.#byHash.size
  }

  get(hash: Word): PoolEntry | undefined {
    return this.#byHash.get(hash)
  }

  entries(): Iterable<PoolEntry> {
    return this.#byHash.values()
  }

  /** One transaction, those of a sender, or all. */
  select(which: { hash: Word } | { sender: Address } | 'all'): PoolEntry[] {
    if (which === 'all') return [...this.#byHash.values()]
    if ('sender' in which) return [...this.depositsOf(which.sender), ...(this.ofSender(which.sender)?.values() ?? [])]
    const entry = this.#byHash.get(which.hash)
    return entry ? [entry] : []
  }

  /** Those of a sender that have a nonce. */
  ofSender(address: Address): ReadonlyMap<bigint, PoolEntry> | undefined {
    return this.#bySender.get(address)?.byNonce
  }

  /** They run before those that have a nonce. */
  depositsOf(address: Address): ReadonlySet<PoolEntry> {
    return this.#deposits.get(address) ?? none
  }

  /** The first nonce that the sender has no entry for, if its next one is `current`. */
  nextNonce(address: Address, current: bigint): bigint {
    const nonce = current + BigInt(this.depositsOf(address).size)
    const queue = this.#bySender.get(address)
    if (!queue) return nonce
    if (nonce < queue.first || nonce > queue.end) queue.first = queue.end = nonce
    while (queue.byNonce.has(queue.end)) queue.end++
    return queue.end
  }

  /** Entries that are not in SQL yet, in order of arrival. */
  unstored(): PoolEntry[] {
    return [...this.#unstored]
  }

  /** Marks an entry as stored, and the entries that it replaced as deleted. */
  markStored(entry: PoolEntry): void {
    entry.stored = true
    entry.replaces = []
    this.#unstored.delete(entry)
  }

  /**
   * Adds a transaction, or replaces one with the same nonce if it pays enough more. Throws `ALREADY_KNOWN`,
   * `REPLACEMENT_UNDERPRICED`, and `ADDRESS_RESERVED` and `POOL_FULL` unless it is stored already.
   */
  add(
    transaction: Transaction,
    settle: PoolEntry['settle'],
    {
      stored = false,
      isHeavy = false,
      reads,
      budget,
      ahead,
    }: Partial<Pick<PoolEntry, 'stored' | 'isHeavy' | 'reads' | 'budget' | 'ahead'>> = {},
  ): void {
    if (this.#byHash.has(transaction.hash)) throw new NetworkError('ALREADY_KNOWN', {})
    const { deposit } = transaction
    if (!stored && !deposit) this.#requireSameKind(transaction)
    const replaced = deposit ? undefined : this.ofSender(transaction.from)?.get(transaction.nonce)
    if (replaced) {
      requireRaised(transaction, replaced.transaction)
      this.remove(replaced)
      // The replaced transaction's sender has its hash and can find the replacement.
      replaced.settle({ type: 'queued' })
    } else if (!stored && this.size >= this.#limit) throw new NetworkError('POOL_FULL', { limit: this.#limit })
    const replaces = replaced ? [...replaced.replaces, ...(replaced.stored ? [replaced.transaction.hash] : [])] : []
    const arrival = this.#arrivals++
    const entry: PoolEntry = {
      transaction,
      arrival,
      stored,
      reads,
      replaces,
      budget,
      isHeavy,
      ahead,
      settle,
    }
    if (deposit) this.#deposits.set(transaction.from, (this.#deposits.get(transaction.from) ?? new Set()).add(entry))
    else this.#queue(entry)
    this.#byHash.set(transaction.hash, entry)
    this.#version++
    if (!stored) this.#unstored.add(entry)
  }

  #queue(entry: PoolEntry): void {
    const { from, nonce } = entry.transaction
    const queue = this.#bySender.get(from) ?? { byNonce: new Map<bigint, PoolEntry>(), first: 0n, end: 0n }
    queue.byNonce.set(nonce, entry)
    this.#bySender.set(from, queue)
  }

  /** As on live chains, an account has transactions with blobs in the pool, or others, but not both. */
  #requireSameKind({ from: address, blobVersionedHashes }: Transaction): void {
    const other = this.ofSender(address)?.values().next().value?.transaction
    const hasBlobs = blobVersionedHashes !== undefined
    if (!other || (other.blobVersionedHashes !== undefined) === hasBlobs) return
    const [sent, waiting] = hasBlobs ? ['with', 'without'] : ['without', 'with']
    throw new NetworkError('ADDRESS_RESERVED', { address, sent, waiting })
  }

  remove(entry: PoolEntry): void {
    const { hash, from, nonce } = entry.transaction
    entry.ahead?.cancel()
    this.#byHash.delete(hash)
    this.#version++
    this.#unstored.delete(entry)
    const deposits = this.#deposits.get(from)
    if (deposits?.delete(entry)) {
      if (deposits.size === 0) this.#deposits.delete(from)
      return
    }
    const queue = this.#bySender.get(from)
    if (queue?.byNonce.get(nonce) !== entry) return
    queue.byNonce.delete(nonce)
    if (queue.byNonce.size === 0) this.#bySender.delete(from)
    if (nonce === queue.first && nonce < queue.end) queue.first++
    else if (nonce > queue.first && nonce < queue.end) queue.end = nonce
  }

  /**
   * Iterates over deposits, then over executable entries at this base fee, best price or first arrival first, with the nonces
   * of each sender in order from `nonceOf`.
   */
  *executable(
    baseFee: bigint,
    nonceOf: ReadonlyMap<Address, bigint>,
  ): Generator<PoolEntry, void, PoolTurn | undefined> {
    const taken = new Map<Address, bigint>()
    const deposits = [...this.#deposits.values()].flatMap((ofSender) => [...ofSender])
    for (const entry of deposits.sort((a, b) => a.arrival - b.arrival)) {
      const { from } = entry.transaction
      if (((yield entry) ?? 'executed') === 'executed') taken.set(from, (taken.get(from) ?? 0n) + 1n)
    }
    const heads: PoolEntry[] = []
    const push = (entry: PoolEntry | undefined) => {
      if (!entry || entry.transaction.maxFeePerGas < baseFee) return
      const at = heads.findIndex((head) =>
        this.#order === 'fifo' ? entry.arrival < head.arrival : isBefore(entry, head, baseFee),
      )
      heads.splice(at === -1 ? heads.length : at, 0, entry)
    }
    for (const [sender, { byNonce }] of this.#bySender) {
      const nonce = nonceOf.get(sender)
      if (nonce !== undefined) push(byNonce.get(nonce + (taken.get(sender) ?? 0n)))
    }
    for (let turns = 1, isFunded = true; isFunded && turns <= turnLimit; turns++) {
      isFunded = false
      const waiting: PoolEntry[] = []
      for (let entry = heads.shift(); entry; entry = heads.shift()) {
        const { from, nonce } = entry.transaction
        const next = this.ofSender(from)?.get(nonce + 1n)
        const turn = (yield entry) ?? 'executed'
        if (turn === 'executed') push(next)
        if (turn === 'wait') waiting.push(entry)
        else isFunded ||= turn === 'executed' && waiting.length > 0
      }
      for (const entry of waiting) push(entry)
    }
  }

  /** Of deposits. */
  depositors(): Address[] {
    return [...this.#deposits.keys()]
  }

  /** Of those that have a nonce. */
  senders(): Address[] {
    return [...this.#bySender.keys()]
  }
}

/** Throws `REPLACEMENT_UNDERPRICED` unless every fee is enough higher. */
function requireRaised(transaction: Transaction, replaced: Transaction): void {
  const percent = replaced.blobVersionedHashes ? blobReplacementPercent : replacementPercent
  for (const field of ['maxFeePerGas', 'maxPriorityFeePerGas', 'maxFeePerBlobGas'] as const) {
    const minimum = ((replaced[field] ?? 0n) * (100n + percent)) / 100n
    if ((transaction[field] ?? 0n) < minimum)
      throw new NetworkError('REPLACEMENT_UNDERPRICED', { field, percent, minimum })
  }
}

function isBefore(a: PoolEntry, b: PoolEntry, baseFee: bigint): boolean {
  const tipA = effectiveGasPrice(a.transaction, baseFee)
  const tipB = effectiveGasPrice(b.transaction, baseFee)
  return tipA > tipB || (tipA === tipB && a.arrival < b.arrival)
}

/** The hashes of these entries in SQL. */
export function storedHashes(entries: readonly PoolEntry[]): Word[] {
  return entries.flatMap(({ stored, replaces, transaction }) => (stored ? [...replaces, transaction.hash] : replaces))
}

/** Transactions of the pool that can pay a base fee, with the nonces of their senders in a state. At once if those are in memory. */
export function loadExecutable(pool: Pool, view: LoadingView, baseFee: bigint) {
  const senders = pool.senders()
  const executable = () => {
    const nonces = new Map<Address, bigint>()
    for (const sender of senders) {
      const account = view.account(sender)
      if (account) nonces.set(sender, account.nonce)
    }
    return pool.executable(baseFee, nonces)
  }
  const unknown = senders.filter((sender) => !view.account(sender))
  if (unknown.length === 0) return executable()
  return view.load({ accounts: unknown, codes: [], slots: [], blockHashes: [] }).then(executable, (error) => {
    // If upstream returns an error for one sender, only that sender's transactions wait.
    if (!isAnsweredError(error)) throw error
    return executable()
  })
}
