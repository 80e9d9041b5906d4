import type { Address, CallType, HaltReason, Hex, Word } from '@understudy/evm'
import type { Selectable } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { insertRows } from '../../queries/insertRows.ts'
import type { Tables } from '../../schema.ts'
import { isOfTransaction, type TransactionPosition } from '../chain/transactions.ts'

/** A position in the history; later positions are greater. */
export type CallPosition = { blockNumber: bigint; transactionPosition: number; position: number }

/** A call or contract creation, and its result. */
export type CallRecord = CallPosition & {
  depth: number
  type: CallType
  sender: Address
  recipient: Address
  selector: Hex | undefined
  value: bigint
  gas: bigint
  gasUsed: bigint
  /** The first bytes; `undefined` for the transaction itself, whose data is stored with it, and for creations. */
  input: Uint8Array | undefined
  inputSize: number
  output: Uint8Array | undefined
  outputSize: number
  outcome: (typeof callOutcomes)[number]
  /** The error of a call that failed without a revert. */
  halt: HaltReason | undefined
}

export type CreationRecord = CallPosition & {
  address: Address
  creator: Address
  /** `undefined` if the init code is the data of the transaction. */
  initHash: Word | undefined
}

const types = ['CALL', 'STATICCALL', 'DELEGATECALL', 'CALLCODE', 'CREATE', 'CREATE2', 'SELFDESTRUCT'] as const
/** Whether it succeeded, failed, or was reverted by an outer call. */
export const callOutcomes = ['succeeded', 'failed', 'reverted'] as const
/** Types below this index are calls. */
export const firstCreateType = types.indexOf('CREATE')

export async function addCalls(queries: Queries, records: readonly CallRecord[]): Promise<void> {
  const rows = records.map((record) => ({
    block_number: Number(record.blockNumber),
    transaction_position: record.transactionPosition,
    position: record.position,
    depth: record.depth,
    type: types.indexOf(record.type),
    sender: column.hex(record.sender),
    recipient: column.hex(record.recipient),
    selector: record.selector === undefined ? null : column.hex(record.selector),
    value: record.value === 0n ? null : column.number(record.value),
    gas: Number(record.gas),
    gas_used: Number(record.gasUsed),
    input: record.input ?? null,
    input_size: record.inputSize,
    output: record.output ?? null,
    output_size: record.outputSize,
    outcome: callOutcomes.indexOf(record.outcome),
    halt: record.halt ?? null,
  }))
  await insertRows(queries, 'calls', rows)
}

export function callFromRow(row: Selectable<Tables['calls']>): CallRecord {
  return {
    blockNumber: BigInt(row.block_number),
    transactionPosition: row.transaction_position,
    position: row.position,
    depth: row.depth,
    type: types[row.type] ?? 'CALL',
    sender: value.address(row.sender),
    recipient: value.address(row.recipient),
    selector: row.selector === null ? undefined : value.hex(row.selector),
    value: row.value === null ? 0n : value.bigint(row.value),
    gas: BigInt(row.gas),
    gasUsed: BigInt(row.gas_used),
    input: row.input === null ? undefined : value.bytes(row.input),
    inputSize: row.input_size,
    output: row.output === null ? undefined : value.bytes(row.output),
    outputSize: row.output_size,
    outcome: callOutcomes[row.outcome] ?? 'failed',
    halt: (row.halt as HaltReason | null) ?? undefined,
  }
}

/** The calls of one transaction in execution order, at most `limit`. */
export async function loadCallsOfTransaction(
  queries: Queries,
  position: TransactionPosition,
  limit: number,
): Promise<CallRecord[]> {
  const rows = await queries
    .selectFrom('calls')
    .selectAll()
    .where(isOfTransaction(position))
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map(callFromRow)
}

/** The number of calls to an address by selector; calls without one are under `undefined`. */
export async function countCalls(queries: Queries, recipient: Address): Promise<Map<Hex | undefined, number>> {
  const rows = await queries
    .selectFrom('calls')
    .select((select) => ['selector', select.fn.countAll<number>().as('count')])
    .where('recipient', '=', column.hex(recipient))
    .where('type', '<', firstCreateType)
    .groupBy('selector')
    .execute()
  return new Map(
    rows.map(({ selector, count }) => [selector === null ? undefined : value.hex(selector), Number(count)]),
  )
}

/** The most recently called addresses, at most `limit`. */
export async function loadCalledAddresses(queries: Queries, limit: number): Promise<Address[]> {
  const rows = await queries
    .selectFrom('calls')
    .select('recipient')
    .where('type', '<', firstCreateType)
    .groupBy('recipient')
    .orderBy((select) => select.fn.max('block_number'), 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ recipient }) => value.address(recipient))
}

export async function addCreations(queries: Queries, records: readonly CreationRecord[]): Promise<void> {
  const rows = records.map((record) => ({
    address: column.hex(record.address),
    block_number: Number(record.blockNumber),
    transaction_position: record.transactionPosition,
    position: record.position,
    creator: column.hex(record.creator),
    init_hash: record.initHash === undefined ? null : column.hex(record.initHash),
  }))
  await insertRows(queries, 'creations', rows)
}

/** Every creation, oldest first; a later one of the same address replaces an earlier one. */
export async function loadCreations(queries: Queries, address?: Address): Promise<CreationRecord[]> {
  let query = queries.selectFrom('creations').selectAll()
  if (address) query = query.where('address', '=', column.hex(address))
  const rows = await query.orderBy('block_number').orderBy('transaction_position').orderBy('position').execute()
  return rows.map((row) => ({
    address: value.address(row.address),
    blockNumber: BigInt(row.block_number),
    transactionPosition: row.transaction_position,
    position: row.position,
    creator: value.address(row.creator),
    initHash: row.init_hash === null ? undefined : value.word(row.init_hash),
  }))
}

/** Stores code under its hash. */
export async function addCodes(queries: Queries, codes: ReadonlyMap<Word, Uint8Array>): Promise<void> {
  const rows = [...codes].map(([hash, code]) => ({ hash: column.hex(hash), code }))
  await insertRows(queries, 'codes', rows, 'keep')
}
