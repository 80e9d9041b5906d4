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
import { isPlaceholder, withChosenAuthorities } from '../../ethereum/authorization.ts'
import { logsBloom } from '../../ethereum/bloom.ts'
import { arbitrumContext, arbitrumFieldsOf } from '../../ethereum/chains/arbitrum.ts'
import { type L1Fees, l1SurchargeOf } from '../../ethereum/chains/l1Fees.ts'
import { emptyRequestsHash, systemAddress, zeroWord } from '../../ethereum/constants.ts'
import { blobBaseFee, blobGasPerBlob } from '../../ethereum/fees.ts'
import type { Header } from '../../ethereum/header.ts'
import { encodeHeader } from '../../ethereum/header.ts'
import { listRoot } from '../../ethereum/listRoot.ts'
import type { LogEntry } from '../../ethereum/log.ts'
import { rawBlockSize } from '../../ethereum/rawBlock.ts'
import type { Receipt } from '../../ethereum/receipt.ts'
import { encodeReceipt } from '../../ethereum/receipt.ts'
import type { BlockRules } from '../../ethereum/rules.ts'
import { effectiveGasPrice, hasGasPrice, type Transaction } from '../../ethereum/transaction.ts'
import { type Withdrawal, withdrawalsRoot } from '../../ethereum/withdrawal.ts'
import { runLoaded } from '../../execution/run.ts'
import { ComputingTime } from '../../shared/budget/computingTime.ts'
import type { Engine } from '../../shared/engine.ts'
import { isNetworkError } from '../../shared/errors.ts'
import { bytesFromHex, hexFromBytes } from '../../shared/hex.ts'
import { keccak } from '../../shared/keccak.ts'
import { emptyDiff, isEmptyDiff, mergeDiff } from '../../state/diff.ts'
import type { Overlay } from '../../state/overlay.ts'
import { beforeTransactions, SlotWriters } from '../../state/slotWriters.ts'
import { isEmptyWanted, isLoaded, notLoaded } from '../../state/view.ts'
import type { Base } from '../../upstream/wantedState.ts'
import type { Block } from '../block.ts'
import { type AheadRun, isValidIn, resultIn, transactionRun } from './aheadRun.ts'
import { BlockAccessList } from './blockAccessList.ts'
import type { BlockObservation } from './blockObserver.ts'
import { l1ChargesOf } from './l1Charges.ts'
import type { LocalRules } from './localRules.ts'

/** The block context for a header. */
export function blockContext(header: Header, rules: BlockRules, { chainId, signatures }: LocalRules): BlockContext {
  return {
    chainId,
    fork: rules.fork,
    number: header.number,
    timestamp: header.timestamp,
    coinbase: header.coinbase,
    gasLimit: header.gasLimit,
    baseFee: header.baseFeePerGas ?? 0n,
    prevRandao: header.difficulty === 0n ? BigInt(header.mixHash) : header.difficulty,
    blobBaseFee: rules.blobs ? blobBaseFee(header.excessBlobGas ?? 0n, rules.blobs) : 0n,
    ...(header.slotNumber !== undefined && { slotNumber: header.slotNumber }),
    ...(rules.precompiles && { precompiles: rules.precompiles }),
    ...(rules.limits && { limits: rules.limits }),
    ...(signatures && { signatures }),
    ...(rules.l1Fees && { surcharge: l1SurchargeOf(header) }),
    ...(rules.arbitrum && arbitrumContext(header, rules.precompiles, chainId)),
  }
}

/** A transaction as a message for the engine, in a block. */
export function messageFrom(
  transaction: Transaction,
  { baseFee, signatures }: Pick<BlockContext, 'baseFee' | 'signatures'>,
): Message {
  return {
    from: transaction.from,
    to: transaction.to,
    value: transaction.value,
    data: transaction.data,
    gasLimit: transaction.gasLimit,
    gasPrice: effectiveGasPrice(transaction, baseFee),
    mint: transaction.deposit?.mint,
    maxFeePerGas: transaction.maxFeePerGas,
    // For other types, this is the gas price again. Before London there are no tips.
    maxPriorityFeePerGas: hasGasPrice(transaction.type) ? undefined : transaction.maxPriorityFeePerGas,
    nonce: transaction.deposit ? undefined : transaction.nonce,
    accessList: transaction.accessList,
    maxFeePerBlobGas: transaction.maxFeePerBlobGas,
    blobVersionedHashes: transaction.blobVersionedHashes,
    authorizationList: withChosenAuthorities(transaction.authorizationList, signatures),
    encoded: transaction.raw,
    // Impersonated contracts can send, too.
    senderMayHaveCode: isPlaceholder(transaction.signature, transaction.from),
  }
}

/** The gas of the protocol's calls (EIP-7002). */
const systemGas = 30_000_000n

function sha256(parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

type Executed = { transaction: Transaction; result: Done; gasPrice: bigint; l1Fees: L1Fees | undefined }

/** A block that is built but not committed. */
export type BuiltBlock = {
  block: Block
  receipts: Receipt[]
  /** The RLP of its access list (EIP-7928), of forks that have them. */
  accessList: Uint8Array | undefined
}

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
  #borrows = false
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
  async execute(transaction: Transaction, time?: ComputingTime): Promise<void> {
    await this.takeIn(transaction, await this.run(transaction, time))
  }

  /** Runs a transaction for at most `time`, and changes nothing. Throws if it cannot be in this block. */
  run(transaction: Transaction, time?: ComputingTime): Promise<Done> {
    const message = messageFrom(transaction, this.context)
    return runLoaded(this.#engine, message, this.context, this.#overlay, { ...transactionRun, time })
  }

  /**
   * Applies a transaction that ran ahead, if its result is known to be right in this block from what is in memory; `false`
   * if not: nothing has happened then. A promise resolves when observers have looked at it, if one has to wait.
   */
  executeAheadNow(
    transaction: Transaction,
    run: AheadRun,
    overrides: OverrideTable | undefined,
  ): boolean | Promise<boolean> {
    if (this.#hasL1Fees || !isLoaded(run.reads, this.#overlay)) return false
    const { baseFee } = this.context
    const message = baseFee === run.context.baseFee ? run.message : messageFrom(transaction, this.context)
    const result = resultIn(run, message, this.context, this.#overlay, overrides)
    if (!result || !isValidIn(message, this.context, this.#overlay)) return false
    this.take(transaction, result, effectiveGasPrice(transaction, baseFee))
    return this.#observe(transaction, result)?.then(() => true) ?? true
  }

  /** Applies a transaction that ran ahead. False if it must run again; throws if it cannot be in this block. */
  async executeAhead(transaction: Transaction, run: AheadRun, overrides: OverrideTable | undefined): Promise<boolean> {
    const message = messageFrom(transaction, this.context)
    const missing = notLoaded(run.reads, this.#overlay)
    if (!isEmptyWanted(missing)) await this.#overlay.load(missing)
    const result = resultIn(run, message, this.context, this.#overlay, overrides)
    if (!result) return false
    if (!isValidIn(message, this.context, this.#overlay)) await this.#requireValid(message)
    await this.takeIn(transaction, result)
    return true
  }

  /** The engine validates a message before it runs any code. */
  async #requireValid(message: Message): Promise<void> {
    const options = { ...transactionRun, time: new ComputingTime(1) }
    try {
      await runLoaded(this.#engine, message, this.context, this.#overlay, options)
    } catch (error) {
      if (!isNetworkError(error, 'EXECUTION_TOO_LONG')) throw error
    }
  }

  /** Applies a transaction that ran on the state of the block, with what it pays beside its gas. */
  async takeIn(transaction: Transaction, result: Done): Promise<void> {
    const pays = this.#hasL1Fees && !transaction.deposit
    const fees = pays ? await l1ChargesOf(transaction, result, this.#overlay, this.#header) : undefined
    this.take(transaction, result, effectiveGasPrice(transaction, this.context.baseFee), fees?.l1Fees)
    if (fees) this.apply(fees.diff, this.#executed.length - 1)
    await this.#observe(transaction, result)
  }

  #observe({ hash }: Transaction, result: Done): Promise<void> | undefined {
    const { context } = this
    const index = this.#executed.length - 1
    return this.#observation.afterTransaction({ hash, index, context, view: this.#overlay, result })
  }

  /** Applies a transaction that ran on the state of the block. `gasPrice` is in wei. */
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
  borrow(diff: StateDiff): void {
    if (isEmptyDiff(diff)) return
    this.#borrows = true
    const before = this.#overlay.identity
    this.#overlay.apply(diff)
    this.#engine.advance(before, this.#overlay.identity, diff)
    this.#observation.changed(diff)
  }

  /** Whether its state has changes that are not its own. */
  get borrows(): boolean {
    return this.#borrows
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
    const { number: blockNumber, timestamp: blockTimestamp } = this.#header
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

/** The blob fields of the receipt of a blob transaction. */
export function blobFigures({ blobVersionedHashes }: Transaction, price: bigint) {
  return blobVersionedHashes
    ? { blobGasUsed: BigInt(blobVersionedHashes.length) * blobGasPerBlob, blobGasPrice: price }
    : { blobGasUsed: undefined, blobGasPrice: undefined }
}
