import { createHash } from 'node:crypto'
import {
  type Address,
  type BlockContext,
  createdAddress,
  type Done,
  type Message,
  type OverrideTable,
  rulesOf,
  type StateDiff,
  type Word,
} from '@understudy/evm'
import { logsBloom } from '../../ethereum/bloom.ts'
import { arbitrumFieldsOf } from '../../ethereum/chains/arbitrum.ts'
import type { L1Fees } from '../../ethereum/chains/l1Fees.ts'
import { emptyRequestsHash, systemAddress, zeroWord } from '../../ethereum/constants.ts'
import { blobGasPerBlob } from '../../ethereum/fees.ts'
import { encodeHeader, type Header } from '../../ethereum/header.ts'
import { listRoot } from '../../ethereum/listRoot.ts'
import type { LogEntry } from '../../ethereum/log.ts'
import { rawBlockSize } from '../../ethereum/rawBlock.ts'
import { blobFigures, encodeReceipt, type Receipt } from '../../ethereum/receipt.ts'
import type { BlockRules } from '../../ethereum/rules.ts'
import { effectiveGasPrice, type Transaction } from '../../ethereum/transaction.ts'
import { type Withdrawal, withdrawalsRoot } from '../../ethereum/withdrawal.ts'
import { runLoaded } from '../../execution/run.ts'
import { chain, type MaybePromise, settle } from '../../shared/async/maybePromise.ts'
import { ComputingTime } from '../../shared/budget/computingTime.ts'
import type { Engine } from '../../shared/engine.ts'
import { isNetworkError } from '../../shared/errors.ts'
import { bytesFromHex, hexFromBytes } from '../../shared/hex.ts'
import { keccak } from '../../shared/keccak.ts'
import { emptyDiff, isEmptyDiff, mergeDiff } from '../../state/diff.ts'
import type { Overlay } from '../../state/overlay.ts'
import { beforeTransactions, SlotWriters } from '../../state/slotWriters.ts'
import { isLoaded, notLoaded } from '../../state/view.ts'
import type { Base } from '../../upstream/wantedState.ts'
import type { BuiltBlock } from '../block.ts'
import { type AheadRun, isValidIn, resultIn, transactionRun } from '../run/aheadRun.ts'
import { blockContext, messageFrom } from '../run/blockContext.ts'
import type { LocalRules } from '../run/localRules.ts'
import { BlockAccessList } from './blockAccessList.ts'
import type { BlockObservation } from './blockObserver.ts'
import { l1ChargesOf } from './l1Charges.ts'

/** The gas of the protocol's calls (EIP-7002). */
const systemGas = 30_000_000n

function sha256(parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

type Executed = { transaction: Transaction; result: Done; gasPrice: bigint; l1Fees: L1Fees | undefined }

/** Builds one block on an overlay, to which it applies the changes of its transactions. */
export class BlockBuilder {
  readonly context: BlockContext
  /** The changes of the block so far. */
  readonly diff = emptyDiff()
  readonly writers = new SlotWriters()
  readonly #header: Header
  readonly #engine: Engine
  readonly #overlay: Overlay
  readonly #observation: BlockObservation
  readonly #blobLimit: bigint
  readonly #hasL1Fees: boolean
  readonly #executed: Executed[] = []
  readonly #accessList: BlockAccessList | undefined
  /** Gas in each dimension (EIP-8037). */
  readonly #gas = { regular: 0n, state: 0n }
  /** Most regular gas of a transaction, where state gas is another dimension. */
  readonly #regularCap: bigint | undefined
  #blobs = 0n
  #hasUpstreamChanges = false
  /** What the header commits to (EIP-7685): the hashes of the requests of each type that has some. */
  readonly #requestHashes: Uint8Array[] = []

  constructor(
    header: Header,
    rules: BlockRules,
    localRules: LocalRules,
    overlay: Overlay,
    engine: Engine,
    observation: BlockObservation,
  ) {
    this.#header = header
    this.#engine = engine
    this.#overlay = overlay
    this.#observation = observation
    this.#blobLimit = rules.blobs?.max ?? 0n
    this.#hasL1Fees = rules.l1Fees ?? false
    this.context = blockContext(header, rules, localRules)
    const { accessLists, stateGas, gasCap } = rulesOf(this.context)
    this.#accessList = accessLists ? new BlockAccessList() : undefined
    this.#regularCap = stateGas ? gasCap : undefined
  }

  /** False if the transaction does not fit into the block. */
  fits({ gasLimit, blobVersionedHashes = [] }: Transaction): boolean {
    if (this.#blobs + BigInt(blobVersionedHashes.length) > this.#blobLimit) return false
    if (this.context.limits?.noBlockGasLimit) return true
    const cap = this.#regularCap
    const regular = cap !== undefined && cap < gasLimit ? cap : gasLimit
    const left = this.#header.gasLimit
    return this.#gas.regular + regular <= left && this.#gas.state + gasLimit <= left
  }

  /** Runs a transaction for at most `time`. If it cannot be in this block, throws and changes nothing. */
  execute(transaction: Transaction, time?: ComputingTime): MaybePromise<void> {
    return chain(this.run(transaction, time), (result) => this.include(transaction, result))
  }

  /** Runs a transaction for at most `time`, and changes nothing. Throws if it cannot be in this block. */
  run(transaction: Transaction, time?: ComputingTime): MaybePromise<Done> {
    const message = messageFrom(transaction, this.context)
    return runLoaded(this.#engine, message, this.context, this.#overlay, { ...transactionRun, time })
  }

  /** Includes a transaction that ran ahead. False if it must run again; throws if it cannot be in this block. */
  executeAhead(transaction: Transaction, run: AheadRun, overrides: OverrideTable | undefined): MaybePromise<boolean> {
    const end = () => this.#includeAhead(transaction, run, overrides)
    return isLoaded(run.reads, this.#overlay)
      ? end()
      : this.#overlay.load(notLoaded(run.reads, this.#overlay)).then(end)
  }

  #includeAhead(transaction: Transaction, run: AheadRun, overrides: OverrideTable | undefined): MaybePromise<boolean> {
    const { context } = this
    const message = context.baseFee === run.context.baseFee ? run.message : messageFrom(transaction, context)
    const result = resultIn(run, message, context, this.#overlay, overrides)
    if (!result) return false
    const checked = isValidIn(message, context, this.#overlay) ? undefined : this.#requireValid(message)
    return chain(
      chain(checked, () => this.include(transaction, result)),
      () => true,
    )
  }

  /** The engine validates a message before it runs any code. */
  #requireValid(message: Message): MaybePromise<void> {
    const options = { ...transactionRun, time: new ComputingTime(1) }
    return settle(
      () => runLoaded(this.#engine, message, this.context, this.#overlay, options),
      () => {},
      (error) => {
        if (!isNetworkError(error, 'EXECUTION_TOO_LONG')) throw error
      },
    )
  }

  /**
   * Includes a transaction that ran on the state of the block, with what it pays beside its gas. Returns a promise only where
   * that has to be loaded, or an observer has to wait.
   */
  include(transaction: Transaction, result: Done): MaybePromise<void> {
    const { context } = this
    const index = this.#executed.length
    const gasPrice = effectiveGasPrice(transaction, context.baseFee)
    const take = (charges?: { l1Fees: L1Fees; diff: StateDiff }) => {
      this.take(transaction, result, gasPrice, charges?.l1Fees)
      if (charges) this.apply(charges.diff, index)
      return this.#observation.afterTransaction({ hash: transaction.hash, index, context, view: this.#overlay, result })
    }
    if (!this.#hasL1Fees || transaction.deposit) return take()
    return l1ChargesOf(transaction, result, this.#overlay, this.#header).then(take)
  }

  /** Includes a transaction without what it pays beside its gas, and unobserved. `gasPrice` is in wei. */
  take(transaction: Transaction, result: Done, gasPrice: bigint, l1Fees?: L1Fees): void {
    this.#accessList?.add(this.#executed.length + 1, result, this.context.coinbase, this.#overlay)
    const numbered = transaction.deposit ? { ...transaction, nonce: this.#nonceOf(transaction.from) } : transaction
    this.apply(result.diff, this.#executed.length)
    this.#executed.push({ transaction: numbered, result, gasPrice, l1Fees })
    this.#gas.regular += result.blockGas.regular
    this.#gas.state += result.blockGas.state
    this.#blobs += BigInt(transaction.blobVersionedHashes?.length ?? 0)
  }

  /** Of an account that a run has read. */
  #nonceOf(address: Address): bigint {
    const account = this.#overlay.account(address)
    if (!account) throw new Error(`The account ${address} is not loaded`)
    return account.nonce
  }

  /**
   * Shows later transactions of the block what a transaction of the live chain changed there. It is no part of what the
   * block changes: its base has it.
   */
  applyUpstream(diff: StateDiff): void {
    if (isEmptyDiff(diff)) return
    this.#hasUpstreamChanges = true
    this.#change(diff)
  }

  /** Whether its state has changes that are not its own. */
  get hasUpstreamChanges(): boolean {
    return this.#hasUpstreamChanges
  }

  /** The state of the block so far. */
  get state(): Overlay {
    return this.#overlay
  }

  /** How many transactions it has. */
  get size(): number {
    return this.#executed.length
  }

  /** Applies the protocol's own writes at the start of the block. */
  applySystem(diff: StateDiff): void {
    this.#accessList?.addSystem(diff)
    this.apply(diff)
  }

  /** Calls a contract as the protocol does after the transactions; its output are the block's requests of a type. */
  async takeRequests(type: number, to: Address, time?: ComputingTime): Promise<void> {
    const message: Message = {
      from: systemAddress,
      to,
      value: 0n,
      data: new Uint8Array(),
      gasLimit: systemGas,
      gasPrice: 0n,
      nonce: 0n,
    }
    const result = await runLoaded(this.#engine, message, this.context, this.#overlay, { kind: 'system', time })
    if (result.status !== 'success') return
    this.#accessList?.addCall(this.#executed.length + 1, result, systemAddress, this.#overlay)
    this.apply(result.diff, this.#executed.length)
    if (result.output.length > 0) this.#requestHashes.push(sha256([new Uint8Array([type]), result.output]))
  }

  /** Changes the state of the block; `position` is that of the transaction. */
  apply(diff: StateDiff, position = beforeTransactions): void {
    if (isEmptyDiff(diff)) return
    this.writers.add(position, diff, this.diff)
    mergeDiff(this.diff, diff)
    this.#change(diff)
  }

  #change(diff: StateDiff): void {
    const before = this.#overlay.identity
    this.#overlay.apply(diff)
    // The engine can keep its loaded state.
    this.#engine.advance(before, this.#overlay.identity, diff)
    this.#observation.changed(diff)
  }

  /** Applies what a message of the live chain changes that is no transaction of this block. */
  async applyMessage(message: Message): Promise<void> {
    const { diff } = await runLoaded(this.#engine, message, this.context, this.#overlay, { kind: 'transaction' })
    this.apply(diff, this.#executed.length - 1)
  }

  /** Completes the header; `stateRoot` commits to the state after the block, including withdrawals. */
  seal(
    stateRoot: Header['stateRoot'],
    base: Base,
    live: Base | undefined,
    withdrawals: readonly Withdrawal[] = [],
  ): BuiltBlock {
    const receipts = this.#receipts()
    const transactions = receipts.map((receipt) => receipt.transaction)
    const encoded = transactions.map(({ raw }) => bytesFromHex(raw))
    const accessList = this.#accessList?.encode()
    const header: Header = {
      ...this.#header,
      stateRoot,
      gasUsed: this.#gas.regular > this.#gas.state ? this.#gas.regular : this.#gas.state,
      logsBloom: logsBloom(receipts.flatMap(({ logs }) => logs)),
      transactionsRoot: listRoot(encoded),
      receiptsRoot: listRoot(receipts.map(encodeReceipt)),
      withdrawalsRoot: this.#header.withdrawalsRoot && withdrawalsRoot(withdrawals),
      blobGasUsed: this.#header.blobGasUsed === undefined ? undefined : this.#blobs * blobGasPerBlob,
      requestsHash: this.#header.requestsHash && this.#hashOfRequests(),
      blockAccessListHash: accessList && keccak(accessList),
    }
    const encodedHeader = encodeHeader(header)
    const hash = keccak(encodedHeader)
    for (const receipt of receipts) {
      receipt.blockHash = hash
      for (const log of receipt.logs) log.blockHash = hash
    }
    const size = BigInt(rawBlockSize(header, encodedHeader, encoded, withdrawals))
    return { block: { hash, header, base, live, transactions, size }, receipts, accessList }
  }

  #hashOfRequests(): Word {
    return this.#requestHashes.length === 0 ? emptyRequestsHash : hexFromBytes(sha256(this.#requestHashes))
  }

  #receipts(): Receipt[] {
    let cumulativeGasUsed = 0n
    let logIndex = 0
    const { number: blockNumber, timestamp: blockTimestamp, timestampMs: blockTimestampMs } = this.#header
    const l1BlockNumber = arbitrumFieldsOf(this.#header)?.l1Number
    return this.#executed.map(({ transaction, result, gasPrice, l1Fees }, transactionIndex) => {
      cumulativeGasUsed += result.gasUsed
      const logs = result.logs.map(
        ({ address, topics, data }): LogEntry => ({
          address,
          topics,
          data: hexFromBytes(data),
          blockNumber,
          blockHash: zeroWord,
          blockTimestamp,
          blockTimestampMs,
          transactionHash: transaction.hash,
          transactionIndex,
          logIndex: logIndex++,
        }),
      )
      return {
        transaction,
        transactionIndex,
        blockNumber,
        blockHash: zeroWord,
        blockTimestamp,
        blockTimestampMs,
        status: result.status === 'success' ? 'success' : 'failed',
        gasUsed: result.gasUsed,
        cumulativeGasUsed,
        effectiveGasPrice: gasPrice,
        contractAddress: transaction.to ? undefined : createdAddress(transaction.from, transaction.nonce),
        logs,
        logsBloom: logsBloom(logs),
        ...blobFigures(transaction, this.context.blobBaseFee),
        ...(l1Fees && { l1Fees }),
        ...(l1BlockNumber !== undefined && { l1BlockNumber }),
      }
    })
  }
}
