import type { Word } from '@understudy/evm'
import { isMatch, type LogEntry, type LogFilter } from '../../ethereum/log.ts'
import type { Receipt } from '../../ethereum/receipt.ts'
import type { Block, BuiltBlock, Head, TransactionInBlock } from '../block.ts'

/** What all of them may take in memory, about, in bytes: objects, and what is encoded of them. */
const bytesLimit = 32 * 1024 * 1024
const bytesOfBlock = 6_000
const bytesOfTransaction = 5_000
const bytesOfLog = 2_000

/** What blocks may take in memory that the network went back before, about, in bytes, and the most of them. */
const removedBytesLimit = 8 * 1024 * 1024
const removedLimit = 256

/** Filters with more addresses, or topics for one position, are for the indexes of the database. */
const fewAlternatives = 16

type BlockPosition = { built: BuiltBlock; index: number }

/** The newest blocks with their receipts, one after the other up to the head: what is asked for most. */
export class RecentBlocks {
  readonly #head: () => Head
  readonly #oldest: () => bigint
  /** Oldest first. */
  readonly #blocks: BuiltBlock[] = []
  readonly #byHash = new Map<Word, BuiltBlock>()
  readonly #byNumber = new Map<bigint, BuiltBlock>()
  readonly #transactions = new Map<Word, BlockPosition>()
  /** What was undone, the oldest first. */
  readonly #removed = new Map<Word, BuiltBlock>()
  #bytes = 0
  #removedBytes = 0

  /** `oldest` is the first block that can be read. */
  constructor(needs: { head(): Head; oldest(): bigint }) {
    this.#head = needs.head
    this.#oldest = needs.oldest
  }

  /** Takes blocks that are sealed, oldest first. What was there and is not below them is forgotten. */
  add(blocks: readonly BuiltBlock[]): void {
    for (const built of blocks) {
      this.#keepUpTo(built.block.header.parentHash)
      this.#blocks.push(built)
      this.#byHash.set(built.block.hash, built)
      this.#byNumber.set(built.block.header.number, built)
      for (const [index, { hash }] of built.block.transactions.entries()) this.#transactions.set(hash, { built, index })
      this.#bytes += bytesOf(built)
    }
    while (this.#bytes > bytesLimit) this.#forget(this.#blocks.shift())
  }

  /** `undefined` for what is not here, whether it exists or not. */
  block(key: { number: bigint } | { hash: Word }): Block | undefined {
    if (!this.#isCurrent()) return undefined
    const built = 'hash' in key ? this.#byHash.get(key.hash) : this.#byNumber.get(key.number)
    return built && this.#isKept(built) ? built.block : undefined
  }

  /** A block that the network went back before, or that was replaced: one that was in memory then, and of the last ones. */
  removed(hash: Word): BuiltBlock | undefined {
    this.#isCurrent()
    return this.#removed.get(hash)
  }

  transaction(hash: Word): TransactionInBlock | undefined {
    const position = this.#find(hash)
    const transaction = position?.built.block.transactions[position.index]
    if (!position || !transaction) return undefined
    const { header, hash: blockHash } = position.built.block
    const { number, timestamp, timestampMs, baseFeePerGas } = header
    const block = { number, hash: blockHash, timestamp, timestampMs, baseFeePerGas }
    return { transaction, block, index: position.index }
  }

  receipt(hash: Word): Receipt | undefined {
    const position = this.#find(hash)
    return position?.built.receipts[position.index]
  }

  /** Oldest first; `undefined` unless all blocks of the range are here. */
  logs({ from, to, addresses, topics }: LogFilter, limit: number): LogEntry[] | undefined {
    const first = this.#blocks[0]?.block.header.number
    if (first === undefined || !this.#isCurrent() || from < first || from < this.#oldest()) return undefined
    if ([addresses, ...topics].some((words) => words && words.length > fewAlternatives)) return undefined
    const found: LogEntry[] = []
    for (const { block, receipts } of this.#blocks) {
      const { number } = block.header
      if (number < from || receipts.length === 0) continue
      if (number > to) break
      for (const { logs } of receipts) for (const log of logs) if (isMatch(log, { addresses, topics })) found.push(log)
      if (found.length > limit) return undefined
    }
    return found
  }

  #find(hash: Word): BlockPosition | undefined {
    const position = this.#isCurrent() ? this.#transactions.get(hash) : undefined
    return position && this.#isKept(position.built) ? position : undefined
  }

  #isKept = ({ block }: BuiltBlock) => block.header.number >= this.#oldest()

  /** Whether the newest is the head. Where the network went back, what was undone is forgotten. */
  #isCurrent(): boolean {
    const { hash, header } = this.#head()
    if (this.#blocks.at(-1)?.block.hash === hash) return true
    const isAbove = (this.#blocks[0]?.block.header.number ?? 0n) > header.number
    if (!isAbove && !this.#byHash.has(hash)) return false
    this.#keepUpTo(hash)
    return !isAbove
  }

  #keepUpTo(hash: Word): void {
    while (this.#blocks.length > 0 && this.#blocks.at(-1)?.block.hash !== hash) {
      const undone = this.#blocks.pop()
      this.#forget(undone)
      this.#remember(undone)
    }
  }

  /** The newest are removed first; the oldest of them are read first. */
  #remember(undone: BuiltBlock | undefined): void {
    if (!undone) return
    this.#removed.set(undone.block.hash, undone)
    this.#removedBytes += bytesOf(undone)
    for (const [hash, oldest] of this.#removed) {
      if (this.#removedBytes <= removedBytesLimit && this.#removed.size <= removedLimit) break
      this.#removed.delete(hash)
      this.#removedBytes -= bytesOf(oldest)
    }
  }

  #forget(built: BuiltBlock | undefined): void {
    if (!built) return
    this.#byHash.delete(built.block.hash)
    this.#byNumber.delete(built.block.header.number)
    for (const { hash } of built.block.transactions)
      if (this.#transactions.get(hash)?.built === built) this.#transactions.delete(hash)
    this.#bytes -= bytesOf(built)
  }
}

function bytesOf({ block, receipts }: BuiltBlock): number {
  let bytes = bytesOfBlock
  for (const { transaction, logs } of receipts) {
    // The encoding, its bytes, and both as text.
    bytes += bytesOfTransaction + 4 * transaction.raw.length + logs.length * bytesOfLog
    for (const { data } of logs) bytes += 2 * data.length
  }
  return bytes + 200 * block.transactions.length
}
