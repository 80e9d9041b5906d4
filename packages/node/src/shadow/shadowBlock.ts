import type { Address, Done, StateDiff, Word } from '@understudy/evm'
import type { BlockBuilder } from '../chain/sealing/blockBuilder.ts'
import { decodeStoredTransaction } from '../ethereum/decodeTransaction.ts'
import { rebuildTransaction } from '../ethereum/encodings/rebuilt.ts'
import { effectiveGasPrice, type Transaction } from '../ethereum/transaction.ts'
import { senderFromRpc } from '../ethereum/upstreamMessage.ts'
import type { LiveBlock } from '../fidelity/liveBlock.ts'
import { ComputingTime } from '../shared/budget/computingTime.ts'
import type { Engine } from '../shared/engine.ts'
import { isUpstreamAway, NetworkError } from '../shared/errors.ts'
import { hexFromBytes } from '../shared/hex.ts'
import { emptyDiff, isEmptyDiff, mergeDiff } from '../state/diff.ts'
import type { Overlay } from '../state/overlay.ts'
import { type LoadingView, loadAccount, loadStorage } from '../state/view.ts'
import type { Queries } from '../storage/database.ts'
import type { ShadowedTransaction, ShadowKey } from '../storage/records/chain/shadowedTransactions.ts'
import { addDiffKeys, type Keys, keysOfDiff, keysOfPrestate, keysOfRun, noKeys, wantedOf } from './accesses.ts'
import { findCause, transactionMs } from './cause.ts'
import { countDivergence } from './divergenceCounter.ts'
import type { LiveRun } from './liveRun.ts'
import type { LocalKeys } from './localKeys.ts'
import { balanceChanges, type ComparedRun, type Comparison, compareRuns, outcomeOfReceipt } from './outcome.ts'
import { type AccountField, settle } from './settle.ts'

export type ShadowNeeds = {
  queries: Queries
  /** Runs messages as this network does, with its overrides. */
  overridingEngine: Engine
  local: LocalKeys
  /** The live chain's state after the block. */
  after: LoadingView
  /** Whether a transaction is to run here. */
  includes(hash: Word, keys: Keys): boolean
}

export type ShadowedBlockResult = {
  transactions: ShadowedTransaction[]
  keys: (ShadowKey & { blockNumber: bigint; hash: Word })[]
}

/** What is stored of a transaction that did not come out as on the live chain. */
export type ShadowDetail = Partial<Comparison> & {
  /** Why it did not run here. */
  reason?: string
  /** The transactions whose consequence it is, if it is one. */
  causedBy?: readonly Word[]
}

/** Runs the transactions of a live block that touch something local, in a block that replays it. */
export async function shadowBlock(
  block: LiveBlock,
  run: LiveRun,
  builder: BlockBuilder,
  needs: ShadowNeeds,
): Promise<ShadowedBlockResult> {
  const shadowing = new Shadowing(block, run, builder, needs)
  for (const index of block.transactions.keys()) await shadowing.step(index)
  return shadowing.finish()
}

class Shadowing {
  readonly #block: LiveBlock
  readonly #run: LiveRun
  readonly #builder: BlockBuilder
  readonly #needs: ShadowNeeds
  /** The live chain's state, as far as the block was gone through. */
  readonly #live: Overlay
  /** What transactions changed on the live chain that did not run here. */
  readonly #fromUpstream = emptyDiff()
  /** What this network's own transactions and the protocol wrote in the block. */
  readonly #own: Keys
  /** What shadowed transactions wrote, and which did last. */
  readonly #written = noKeys()
  readonly #writers = new Map<string, Word>()
  readonly #cleared = { here: new Set<Address>(), live: new Set<Address>() }
  readonly #transactions: ShadowedTransaction[] = []

  constructor(block: LiveBlock, run: LiveRun, builder: BlockBuilder, needs: ShadowNeeds) {
    this.#block = block
    this.#run = run
    this.#builder = builder
    this.#needs = needs
    this.#live = run.state
    this.#own = keysOfDiff(builder.diff)
    for (const address of this.#own.accounts) needs.local.setAccount(address, true)
    for (const [address, slots] of this.#own.slots) for (const slot of slots) needs.local.setSlot(address, slot, true)
  }

  async step(index: number): Promise<void> {
    const { local, includes } = this.#needs
    const result = this.#run.results[index]
    const change = this.#run.changes[index] ?? emptyDiff()
    const prestate = this.#block.prestates?.[index]
    const hash = String(this.#block.transactions[index]?.hash) as Word
    const keys = result?.type === 'done' ? keysOfRun(result) : prestate ? keysOfPrestate(prestate) : keysOfDiff(change)
    // What cannot be run and was not traced may have touched anything.
    const isKnown = result?.type === 'done' || prestate !== undefined
    if (isKnown && !(await local.touches(keys))) this.#applyUpstream(change)
    else if (!includes(hash, keys)) await this.#takeOver(change)
    else {
      const reason = this.#run.unreproducible.get(hash)
      const transaction = transactionFrom(this.#block.transactions[index] ?? {})
      if (reason !== undefined || !transaction || result?.type !== 'done') {
        const receipt = this.#block.receipts[index] ?? {}
        const why = reason ?? 'Its type, or how it was signed, is unknown here.'
        this.#note(index, { kind: 'unreproducible', detail: { reason: why, live: outcomeOfReceipt(receipt) } })
        await this.#takeOver(change)
      } else await this.#shadow(index, transaction, result, change)
    }
    this.#live.apply(change)
    await this.#compareState(index, change)
  }

  /** Follows the live chain where its transaction touched nothing local. */
  #applyUpstream(change: StateDiff): void {
    if (isEmptyDiff(change)) return
    this.#builder.applyUpstream(change)
    mergeDiff(this.#fromUpstream, change)
  }

  /** Follows the live chain, and keeps what is local. */
  async #takeOver(change: StateDiff): Promise<void> {
    const { local } = this.#needs
    const taken = emptyDiff()
    for (const [address, fields] of change.accounts)
      if (!local.hasAccount(address)) taken.accounts.set(address, fields)
      else if (fields.nonce !== undefined && (await this.#hasLiveNonce(address)))
        taken.accounts.set(address, { nonce: fields.nonce })
    for (const address of change.cleared) if (!local.hasAccount(address)) taken.cleared.add(address)
    for (const [address, values] of change.slots) {
      const kept = new Map<Word, bigint>()
      for (const [slot, value] of values) if (!(await local.hasSlot(address, [slot]))) kept.set(slot, value)
      if (kept.size > 0) taken.slots.set(address, kept)
    }
    this.#applyUpstream(taken)
  }

  /** Later transactions of a sender whose balance alone differs can run. */
  async #hasLiveNonce(address: Address): Promise<boolean> {
    const [ours, theirs] = [await loadAccount(this.#builder.state, address), await loadAccount(this.#live, address)]
    return ours.nonce === theirs.nonce
  }

  async #shadow(index: number, transaction: Transaction, result: Done, change: StateDiff): Promise<void> {
    const builder = this.#builder
    const { state, context } = builder
    const payment = {
      from: transaction.from,
      coinbase: context.coinbase,
      gasPrice: effectiveGasPrice(transaction, context.baseFee),
    }
    const live = { result, balances: await balanceChanges(result, this.#live, payment) }
    for (const number of result.readSet.blockHashes) {
      const hash = this.#live.blockHash(number)
      if (hash) state.blockHashes.set(number, hash)
    }
    this.#noteWrites(transaction.hash, change, this.#cleared.live)
    let done: Done
    try {
      done = await builder.run(transaction, new ComputingTime(transactionMs))
    } catch (error) {
      if (!(error instanceof NetworkError) || isUpstreamAway(error)) throw error
      const { isCascade, causedBy } = await this.#causeOf(transaction, live, keysOfRun(result))
      const there = outcomeOfReceipt(this.#block.receipts[index] ?? {})
      const detail = { reason: error.message, live: there, causedBy }
      this.#note(index, { kind: 'refused', isCascade, fields: ['status'], detail })
      // It is not in the block: the one before it is.
      builder.apply(await countDivergence(state, transaction.to), builder.size - 1)
      return
    }
    const shadow = { result: done, balances: await balanceChanges(done, state, payment) }
    const comparison = compareRuns(live, shadow)
    const isSame = comparison.fields.length === 0
    const cause = isSame ? undefined : await this.#causeOf(transaction, live, keysOfRun(done))
    this.#note(index, {
      kind: isSame ? 'same' : 'diverged',
      isCascade: cause?.isCascade ?? false,
      fields: comparison.fields,
      detail: isSame ? {} : { ...comparison, causedBy: cause?.causedBy ?? [] },
      before: this.#readFromUpstream(done),
    })
    if (!isSame) builder.apply(await countDivergence(state, transaction.to), builder.size)
    await builder.include(transaction, done)
    this.#noteWrites(transaction.hash, done.diff, this.#cleared.here)
  }

  #causeOf(transaction: Transaction, live: ComparedRun, keys: Keys) {
    return findCause(transaction, live, keys, {
      ...this.#needs,
      context: this.#builder.context,
      here: this.#builder.state,
      live: this.#live,
      own: this.#own,
      writers: this.#writers,
    })
  }

  #noteWrites(hash: Word, diff: StateDiff, cleared: Set<Address>): void {
    addDiffKeys(this.#written, diff)
    for (const address of diff.accounts.keys()) this.#writers.set(address, hash)
    for (const [address, values] of diff.slots)
      for (const slot of values.keys()) this.#writers.set(address + slot, hash)
    for (const address of diff.cleared) cleared.add(address)
  }

  /** Notes which of the keys that a shadowed transaction wrote differ from the live chain now. */
  async #compareState(index: number, change: StateDiff): Promise<void> {
    const last = this.#transactions.at(-1)
    if (last?.position !== index || last.kind === 'unreproducible') return
    const { local } = this.#needs
    const here = this.#builder.state
    const keys = noKeys()
    addDiffKeys(keys, change)
    for (const [key, hash] of this.#writers) {
      if (hash !== last.hash) continue
      const [address, slot] = [key.slice(0, 42) as Address, key.slice(42)]
      keys.accounts.add(address)
      if (slot) addDiffKeys(keys, { ...emptyDiff(), slots: new Map([[address, new Map([[slot as Word, 0n]])]]) })
    }
    await Promise.all([here.load(wantedOf(keys)), this.#live.load(wantedOf(keys))])
    for (const address of keys.accounts) {
      const [ours, theirs] = [await loadAccount(here, address), await loadAccount(this.#live, address)]
      const isPaid = address === this.#builder.context.coinbase
      const differs =
        (!isPaid && ours.balance !== theirs.balance) || ours.nonce !== theirs.nonce || ours.codeHash !== theirs.codeHash
      local.setAccount(address, differs || this.#own.accounts.has(address))
    }
    for (const [address, slots] of keys.slots)
      for (const slot of slots) {
        const differs = (await loadStorage(here, address, slot)) !== (await loadStorage(this.#live, address, slot))
        local.setSlot(address, slot, differs || this.#own.slots.get(address)?.has(slot) === true)
      }
  }

  /** What a run read of what it would not find in this network's own block: for running it again. */
  #readFromUpstream({ readSet }: Done): StateDiff | undefined {
    const { state } = this.#builder
    const found = emptyDiff()
    for (const [address, { code }] of this.#fromUpstream.accounts) {
      const account = readSet.accounts.has(address) ? state.account(address) : undefined
      if (!account) continue
      found.accounts.set(address, { balance: account.balance, nonce: account.nonce, ...(code && { code }) })
    }
    for (const [address, slots] of readSet.slots) {
      const fromUpstream = this.#fromUpstream.slots.get(address)
      for (const slot of slots) {
        const value = fromUpstream?.has(slot) ? state.storage(address, slot) : undefined
        if (value === undefined) continue
        found.slots.set(address, (found.slots.get(address) ?? new Map<Word, bigint>()).set(slot, value))
      }
    }
    return isEmptyDiff(found) ? undefined : found
  }

  #note(
    position: number,
    given: Pick<ShadowedTransaction, 'kind' | 'before'> &
      Partial<Pick<ShadowedTransaction, 'isCascade' | 'fields'>> & { detail: ShadowDetail },
  ): void {
    const raw = this.#block.transactions[position] ?? {}
    const { isCascade = false, fields = [], kind, detail, before } = given
    const input = String(raw.input ?? '0x')
    this.#transactions.push({
      blockNumber: this.#builder.context.number,
      position,
      hash: raw.hash as Word,
      ...{ kind, isCascade, fields, detail, before },
      from: senderFromRpc(raw),
      to: typeof raw.to === 'string' ? (raw.to.toLowerCase() as Address) : undefined,
      selector: input.length >= 10 ? (input.slice(0, 10).toLowerCase() as Word) : undefined,
    })
  }

  async finish(): Promise<ShadowedBlockResult> {
    const { local, after } = this.#needs
    const builder = this.#builder
    const blockNumber = builder.context.number
    this.#creditWithdrawals()
    const keys = await settle({
      diff: builder.diff,
      written: this.#written,
      cleared: this.#cleared,
      here: builder.state,
      live: after,
      isOwn: {
        field: (address, field: AccountField) => local.hadField(address, field) || this.#own.accounts.has(address),
        slot: async (address, slot) =>
          this.#own.slots.get(address)?.has(slot) === true || (await local.hadSlot(address, [slot])),
      },
      coinbase: builder.context.coinbase,
    })
    const writerOf = ({ address, slot }: ShadowKey) => this.#writers.get(address + (slot ?? '')) as Word
    return {
      transactions: this.#transactions,
      keys: keys.map((key) => ({ ...key, blockNumber, hash: writerOf(key) })),
    }
  }

  /** Withdrawals come to local balances too. */
  #creditWithdrawals(): void {
    const { withdrawals } = this.#block.raw
    if (!Array.isArray(withdrawals)) return
    for (const { address: to, amount } of withdrawals as Record<string, unknown>[]) {
      const address = String(to).toLowerCase() as Address
      const account = this.#builder.state.account(address)
      const isLocal = this.#needs.local.hadField(address, 'balance') || this.#written.accounts.has(address)
      if (!isLocal || !account) continue
      const balance = account.balance + BigInt(String(amount)) * 1_000_000_000n
      this.#builder.apply({ ...emptyDiff(), accounts: new Map([[address, { balance }]]) }, this.#builder.size)
    }
  }
}

/** `undefined` if its encoding cannot be made from its JSON: of another type, or without a signature. */
function transactionFrom(raw: Record<string, unknown>): Transaction | undefined {
  const encoded = rebuildTransaction(raw)
  if (!encoded || Number(raw.type ?? 0) > 4) return undefined
  return decodeStoredTransaction({
    raw: hexFromBytes(encoded),
    sender: String(raw.from).toLowerCase() as Address,
  })
}
