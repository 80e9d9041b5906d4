import type { Address, Hex, Word } from '@understudy/evm'
import { type Selectable, sql } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { insertRows } from '../../queries/insertRows.ts'
import { runStatement } from '../../queries/runStatement.ts'
import type { Tables } from '../../schema.ts'

/** A sealed transaction and its result. */
export type TransactionRecord = {
  hash: Word
  blockNumber: bigint
  position: number
  sender: Address
  raw: Hex
  succeeded: boolean
  gasUsed: bigint
  cumulativeGasUsed: bigint
  effectiveGasPrice: bigint
  contractAddress: Address | undefined
  blobGasPrice: bigint | undefined
  /** JSON of what it paid beside its gas. */
  l1Fees: string | undefined
  /** Of a deposit: the nonce that its sender had. */
  depositNonce: bigint | undefined
}

export async function addTransactions(queries: Queries, records: readonly TransactionRecord[]): Promise<void> {
  const rows = records.map((record) => ({
    hash: column.hex(record.hash),
    block_number: Number(record.blockNumber),
    position: record.position,
    sender: column.hex(record.sender),
    raw: column.hex(record.raw),
    succeeded: record.succeeded ? 1 : 0,
    gas_used: Number(record.gasUsed),
    cumulative_gas_used: Number(record.cumulativeGasUsed),
    effective_gas_price: column.number(record.effectiveGasPrice),
    contract_address: record.contractAddress === undefined ? null : column.hex(record.contractAddress),
    blob_gas_price: record.blobGasPrice === undefined ? null : column.number(record.blobGasPrice),
    l1_fees: record.l1Fees ?? null,
    deposit_nonce: record.depositNonce === undefined ? null : column.number(record.depositNonce),
  }))
  await insertRows(queries, 'transactions', rows)
}

/** The newest with this hash. */
export async function loadTransaction(queries: Queries, hash: Word): Promise<TransactionRecord | undefined> {
  const bytes = column.hex(hash)
  const [row] = await runStatement<Selectable<Tables['transactions']>>(queries, 'loadTransaction', [bytes], () =>
    queries
      .selectFrom('transactions')
      .selectAll()
      .where('hash', '=', bytes)
      .orderBy('block_number', 'desc')
      .limit(sql.lit(1))
      .compile(),
  )
  return row && fromRow(row)
}

export async function hasTransaction(queries: Queries, hash: Word): Promise<boolean> {
  const query = queries.selectFrom('transactions').select('position').where('hash', '=', column.hex(hash)).limit(1)
  return (await query.executeTakeFirst()) !== undefined
}

/** The position of a transaction. */
export type TransactionPosition = { blockNumber: bigint; position: number }

/** At most `limit` transactions older than `before`, or the newest; only those that succeeded or failed, if that is given. */
export type TransactionPage = {
  limit: number
  before: TransactionPosition | undefined
  succeeded?: boolean | undefined
}

/** The newest first, older than `before`. */
export async function loadNewestTransactions(
  queries: Queries,
  { limit, before, succeeded }: TransactionPage,
): Promise<TransactionRecord[]> {
  let query = queries.selectFrom('transactions').selectAll()
  if (succeeded !== undefined) query = query.where('succeeded', '=', Number(succeeded))
  if (before)
    query = query.where(sql<boolean>`(block_number, position) < (${Number(before.blockNumber)}, ${before.position})`)
  const rows = await query.orderBy('block_number', 'desc').orderBy('position', 'desc').limit(limit).execute()
  return rows.map(fromRow)
}

/** Those after a position and up to a block, oldest first. */
export async function loadTransactionsBetween(
  queries: Queries,
  { after, last, limit }: { after: TransactionPosition; last: bigint; limit: number },
): Promise<TransactionRecord[]> {
  const rows = await queries
    .selectFrom('transactions')
    .selectAll()
    .where(sql<boolean>`(block_number, position) > (${Number(after.blockNumber)}, ${after.position})`)
    .where('block_number', '<=', Number(last))
    .orderBy('block_number')
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map(fromRow)
}

/** Whether a row belongs to a transaction. */
export const isOfTransaction = ({ blockNumber, position }: TransactionPosition) =>
  sql<boolean>`block_number = ${Number(blockNumber)} and transaction_position = ${position}`

export async function loadTransactionAt(
  queries: Queries,
  blockNumber: bigint,
  position: number,
): Promise<TransactionRecord | undefined> {
  const row = await queries
    .selectFrom('transactions')
    .selectAll()
    .where('block_number', '=', Number(blockNumber))
    .where('position', '=', position)
    .executeTakeFirst()
  return row && fromRow(row)
}

/** The transactions of the blocks `[from, to]`, in order. */
export async function loadTransactions(queries: Queries, block: bigint): Promise<TransactionRecord[]> {
  const rows = await queries
    .selectFrom('transactions')
    .selectAll()
    .where('block_number', '=', Number(block))
    .orderBy('position')
    .execute()
  return rows.map(fromRow)
}

/** The gas used by a transaction, and its price in wei per gas. */
export type PaidFees = Pick<TransactionRecord, 'gasUsed' | 'effectiveGasPrice'>

/** Gas and prices of the transactions of the blocks `[from, to]`, by block, in order. */
export async function loadPaidFees(queries: Queries, from: bigint, to: bigint): Promise<Map<bigint, PaidFees[]>> {
  const rows = await queries
    .selectFrom('transactions')
    .select(['block_number', 'gas_used', 'effective_gas_price'])
    .where('block_number', '>=', Number(from))
    .where('block_number', '<=', Number(to))
    .orderBy('block_number')
    .orderBy('position')
    .execute()
  const paid = new Map<bigint, PaidFees[]>()
  for (const row of rows) {
    const number = BigInt(row.block_number)
    const ofBlock = paid.get(number) ?? []
    ofBlock.push({ gasUsed: BigInt(row.gas_used), effectiveGasPrice: value.bigint(row.effective_gas_price) })
    paid.set(number, ofBlock)
  }
  return paid
}

function fromRow(row: Selectable<Tables['transactions']>): TransactionRecord {
  return {
    hash: value.word(row.hash),
    blockNumber: BigInt(row.block_number),
    position: row.position,
    sender: value.address(row.sender),
    raw: value.hex(row.raw),
    succeeded: row.succeeded === 1,
    gasUsed: BigInt(row.gas_used),
    cumulativeGasUsed: BigInt(row.cumulative_gas_used),
    effectiveGasPrice: value.bigint(row.effective_gas_price),
    contractAddress: row.contract_address === null ? undefined : value.address(row.contract_address),
    blobGasPrice: row.blob_gas_price === null ? undefined : value.bigint(row.blob_gas_price),
    l1Fees: row.l1_fees ?? undefined,
    depositNonce: row.deposit_nonce === null ? undefined : value.bigint(row.deposit_nonce),
  }
}
