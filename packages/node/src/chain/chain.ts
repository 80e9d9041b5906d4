import type { Address, Word } from '@understudy/evm'
import type { CallRequest, ExecutionPoint } from '../execution/execution.ts'
import type { Events } from '../shared/events.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { BlockTag } from '../state/blockTag.ts'
import type { Base, Block, Header, LogEntry, PlacedTransaction, Receipt } from './block.ts'
import type { Transaction } from './transaction.ts'

/** How blocks come about: `interval` in milliseconds. */
export type MiningMode = { type: 'instant' } | { type: 'manual' } | { type: 'interval'; intervalMs: number }

/** The last block: the newest local one, or the fork's origin while there is none. */
export type Head = { hash: Word; header: Header; base: Base }

/** Something that is either the network's own or upstream's, passed through untouched. */
export type Local<T> = { origin: 'local'; value: T }
export type FromUpstream = { origin: 'upstream'; value: Record<string, unknown> }

/** A block of which state can be read. */
export type BlockReference = { origin: 'local' | 'upstream'; number: bigint; hash: Word }

export type LogFilter = {
  from: bigint
  to: bigint
  /** `undefined` matches every address. */
  addresses: Address[] | undefined
  /** By position; `undefined` matches any topic. */
  topics: (Word[] | undefined)[]
}

export type Chain = Service & {
  readonly events: Events<{ block: { block: Block; receipts: Receipt[] }; pending: Transaction; reverted: Head }>
  /** The block at which the network left upstream. */
  readonly origin: Base
  readonly chainId: bigint
  head(): Head
  /** The header that the next block would get if it were sealed now, without transactions. */
  pendingHeader(): Header

  /** Throws `BLOCK_NOT_FOUND`. `pending` is answered as `latest`. */
  resolve(tag: BlockTag): Promise<BlockReference>
  /** The block and the state of a tag, to read or to execute on; for `pending` the block that would come next. */
  at(tag: BlockTag): Promise<ExecutionPoint>
  loadBlock(tag: BlockTag): Promise<Local<Block> | FromUpstream | undefined>
  loadTransaction(hash: Word): Promise<Local<PlacedTransaction> | FromUpstream | undefined>
  loadReceipt(hash: Word): Promise<Local<Receipt> | FromUpstream | undefined>
  /** `undefined` when there is no such block. */
  loadReceipts(tag: BlockTag): Promise<(Local<Receipt> | FromUpstream)[] | undefined>
  /** Oldest first. Throws `LIMIT_EXCEEDED` when there are more than the limit of rows. */
  loadLogs(filter: LogFilter): Promise<(Local<LogEntry> | FromUpstream)[]>
  /** Headers of `[from, to]` for fee statistics: base fee, gas used ratio, blob figures and the tips that were paid. */
  loadFeeHistory(count: bigint, newest: BlockTag, percentiles: number[]): Promise<FeeHistory>

  /** Adds a transaction. In instant mode resolves when it is sealed; otherwise when it is durable in the pool. */
  submit(transaction: Transaction): Promise<Word>
  /** Fills in what a request leaves out, signs it (or stands in for the signature of an impersonated sender) and submits it. */
  send(request: CallRequest): Promise<Word>
  /** The sender's next nonce, pending transactions counted. */
  pendingNonce(address: Address): Promise<bigint>
  /** Seals `blocks` blocks, `intervalSeconds` apart. */
  mine(blocks: bigint, intervalSeconds?: bigint): Promise<void>

  mode(): MiningMode
  setMode(mode: MiningMode): Promise<void>
  /** Moves the clock of the network forward; returns the whole shift in seconds. */
  increaseTime(seconds: bigint): Promise<bigint>
  /** Throws `INVALID_PARAMS` when it is before the head's. */
  setNextBlockTimestamp(timestamp: bigint): Promise<void>
  snapshot(): Promise<bigint>
  /** False when there is no such snapshot. */
  revert(id: bigint): Promise<boolean>
}

export type FeeHistory = {
  oldestBlock: bigint
  baseFeePerGas: bigint[]
  gasUsedRatio: number[]
  baseFeePerBlobGas: bigint[]
  blobGasUsedRatio: number[]
  /** By block, by percentile; `undefined` when none were asked for. */
  reward: bigint[][] | undefined
}
