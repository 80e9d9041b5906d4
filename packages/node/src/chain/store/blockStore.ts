import type { Word } from '@understudy/evm'
import { logsBloom } from '../../ethereum/bloom.ts'
import { arbitrumFieldsOf } from '../../ethereum/chains/arbitrum.ts'
import { decodeL1Fees, encodeL1Fees } from '../../ethereum/chains/l1Fees.ts'
import { decodeStoredTransaction } from '../../ethereum/decodeTransaction.ts'
import { decodeStoredHeader, encodeStoredHeader, type Header } from '../../ethereum/header.ts'
import type { LogEntry } from '../../ethereum/log.ts'
import { blobFigures, type Receipt } from '../../ethereum/receipt.ts'
import type { Queries } from '../../storage/database.ts'
import type { BlockRecord } from '../../storage/records/chain/blockRecord.ts'
import { addBlocks, loadBlock, loadBlocksNumbered, loadNewestBlock } from '../../storage/records/chain/blocks.ts'
import { addLogs, loadLogs, type StoredLog } from '../../storage/records/chain/logs.ts'
import {
  addTransactions,
  loadTransaction,
  loadTransactions,
  type TransactionRecord,
} from '../../storage/records/chain/transactions.ts'
import type { Block, BuiltBlock, TransactionInBlock } from '../block.ts'

/** Maximum number of logs in one block; far above what any gas limit allows. */
const logsOfBlock = 10_000_000

/** Blocks per statement; databases limit bound values. */
const blocksAtOnce = 1000

/** Stores blocks with their transactions, receipts and logs. The first is the change `seq`; the others follow. */
export async function saveBlocks(queries: Queries, seq: number, blocks: readonly BuiltBlock[]): Promise<void> {
  await addBlocks(
    queries,
    blocks.map(({ block, accessList }, index) => ({
      number: block.header.number,
      hash: block.hash,
      seq: seq + index,
      baseNumber: block.base.number,
      baseHash: block.base.hash,
      live: block.live,
      header: encodeStoredHeader(block.header),
      size: block.size,
      accessList,
    })),
  )
  const receipts = blocks.flatMap((built) => built.receipts)
  await addTransactions(
    queries,
    receipts.map((receipt) => ({
      hash: receipt.transaction.hash,
      blockNumber: receipt.blockNumber,
      position: receipt.transactionIndex,
      sender: receipt.transaction.from,
      raw: receipt.transaction.raw,
      succeeded: receipt.status === 'success',
      gasUsed: receipt.gasUsed,
      cumulativeGasUsed: receipt.cumulativeGasUsed,
      effectiveGasPrice: receipt.effectiveGasPrice,
      contractAddress: receipt.contractAddress,
      blobGasPrice: receipt.blobGasPrice,
      l1Fees: receipt.l1Fees && encodeL1Fees(receipt.l1Fees),
      depositNonce: receipt.transaction.deposit && receipt.transaction.nonce,
    })),
  )
  await addLogs(
    queries,
    receipts.flatMap(({ logs }) =>
      logs.map(({ blockNumber, logIndex, transactionIndex, address, topics, data }) => ({
        blockNumber,
        position: logIndex,
        transactionPosition: transactionIndex,
        address,
        topics,
        data,
      })),
    ),
  )
}

type BlockKey = { number: bigint } | { hash: Word } | 'newest'

const loadRecord = (queries: Queries, key: BlockKey): Promise<BlockRecord | undefined> =>
  key === 'newest' ? loadNewestBlock(queries) : loadBlock(queries, key)

/** A block without its transactions, for reads of its state. */
export async function loadStoredHead(
  queries: Queries,
  key: BlockKey,
): Promise<Omit<Block, 'transactions' | 'size'> | undefined> {
  const record = await loadRecord(queries, key)
  return record && headOf(record)
}

/** A stored block and its change number. */
export type StoredBlock = { block: Block; seq: number }

export async function loadStoredBlock(queries: Queries, key: BlockKey): Promise<StoredBlock | undefined> {
  const record = await loadRecord(queries, key)
  if (!record) return undefined
  const rows = await loadTransactions(queries, record.number)
  const transactions = rows.map(decodeStoredTransaction)
  return { seq: record.seq, block: { ...headOf(record), transactions, size: record.size } }
}

function headOf(record: BlockRecord) {
  return {
    hash: record.hash,
    header: decodeStoredHeader(record.header),
    base: { number: record.baseNumber, hash: record.baseHash },
    live: record.live,
  }
}

export async function loadStoredTransaction(queries: Queries, hash: Word): Promise<TransactionInBlock | undefined> {
  const row = await loadTransaction(queries, hash)
  const record = row && (await loadBlock(queries, { number: row.blockNumber }))
  if (!record) return undefined
  const { header } = headOf(record)
  return {
    transaction: decodeStoredTransaction(row),
    block: {
      number: record.number,
      hash: record.hash,
      timestamp: header.timestamp,
      timestampMs: header.timestampMs,
      baseFeePerGas: header.baseFeePerGas,
    },
    index: row.position,
  }
}

export async function loadStoredReceipt(queries: Queries, hash: Word): Promise<Receipt | undefined> {
  const row = await loadTransaction(queries, hash)
  const record = row && (await loadBlock(queries, { number: row.blockNumber }))
  return record && (await receiptsOf(queries, record, [row]))[0]
}

/** `undefined` if there is no such block. */
export async function loadStoredReceipts(queries: Queries, number: bigint): Promise<Receipt[] | undefined> {
  const record = await loadBlock(queries, { number })
  return record && receiptsOf(queries, record, await loadTransactions(queries, number))
}

/** The receipts of some transactions of a block. */
async function receiptsOf(
  queries: Queries,
  record: BlockRecord,
  rows: readonly TransactionRecord[],
): Promise<Receipt[]> {
  const { number, hash } = record
  const logs = await loadLogs(queries, { from: number, to: number, limit: logsOfBlock })
  const logsAt = new Map<number, StoredLog[]>(rows.map(({ position }) => [position, []]))
  for (const log of logs) logsAt.get(log.transactionPosition)?.push(log)
  const header = decodeStoredHeader(record.header)
  return rows.map((row) => {
    const entries = logsAt.get(row.position) ?? []
    return receiptFrom(
      row,
      record,
      header,
      entries.map((log) => logEntry(log, hash, header)),
    )
  })
}

function receiptFrom(row: TransactionRecord, record: BlockRecord, header: Header, logs: LogEntry[]): Receipt {
  const l1BlockNumber = arbitrumFieldsOf(header)?.l1Number
  const transaction = decodeStoredTransaction(row)
  return {
    transaction,
    transactionIndex: row.position,
    blockNumber: record.number,
    blockHash: record.hash,
    blockTimestamp: header.timestamp,
    blockTimestampMs: header.timestampMs,
    status: row.succeeded ? 'success' : 'failed',
    gasUsed: row.gasUsed,
    cumulativeGasUsed: row.cumulativeGasUsed,
    effectiveGasPrice: row.effectiveGasPrice,
    contractAddress: row.contractAddress,
    logs,
    logsBloom: logsBloom(logs),
    ...blobFigures(transaction, row.blobGasPrice ?? 0n),
    ...(row.l1Fees !== undefined && { l1Fees: decodeL1Fees(row.l1Fees) }),
    ...(l1BlockNumber !== undefined && { l1BlockNumber }),
  }
}

/** As `loadLogs`, with the fields of their blocks. */
export async function loadStoredLogs(queries: Queries, filter: Parameters<typeof loadLogs>[1]): Promise<LogEntry[]> {
  const logs = await loadLogs(queries, filter)
  const numbers = [...new Set(logs.map(({ blockNumber }) => blockNumber))]
  const blocks = new Map<bigint, { hash: Word; header: Header }>()
  for (let start = 0; start < numbers.length; start += blocksAtOnce)
    for (const { number, hash, header } of await loadBlocksNumbered(
      queries,
      numbers.slice(start, start + blocksAtOnce),
    ))
      blocks.set(number, { hash, header: decodeStoredHeader(header) })
  return logs.flatMap((log) => {
    const block = blocks.get(log.blockNumber)
    return block ? [logEntry(log, block.hash, block.header)] : []
  })
}

function logEntry(log: StoredLog, blockHash: Word, { timestamp, timestampMs }: Header): LogEntry {
  return {
    address: log.address,
    topics: log.topics,
    data: log.data,
    blockNumber: log.blockNumber,
    blockHash,
    blockTimestamp: timestamp,
    blockTimestampMs: timestampMs,
    transactionHash: log.transactionHash,
    transactionIndex: log.transactionPosition,
    logIndex: log.position,
  }
}
