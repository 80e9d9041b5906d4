import type { Address } from '@understudy/evm'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { zeroAddress } from '../../../ethereum/constants.ts'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { insertRows } from '../../queries/insertRows.ts'
import type { Tables } from '../../schema.ts'
import { rowsOf } from '../../tables.ts'
import { isOfTransaction, type TransactionPosition } from '../chain/transactions.ts'
import type { CallPosition } from './calls.ts'

/** A transfer of ether or tokens. */
export type TransferRecord = CallPosition & {
  kind: (typeof transferKinds)[number]
  /** The zero address for ether. */
  token: Address
  sender: Address
  recipient: Address
  tokenId: bigint | undefined
  amount: bigint
}

export const transferKinds = ['native', 'erc20', 'erc721', 'erc1155'] as const

export async function addTransfers(queries: Queries, records: readonly TransferRecord[]): Promise<void> {
  const rows = records.map((record) => ({
    block_number: Number(record.blockNumber),
    transaction_position: record.transactionPosition,
    position: record.position,
    kind: transferKinds.indexOf(record.kind),
    token: column.hex(record.token),
    sender: column.hex(record.sender),
    recipient: column.hex(record.recipient),
    token_id: record.tokenId === undefined ? null : column.number(record.tokenId),
    amount: column.number(record.amount),
  }))
  await insertRows(queries, 'transfers', rows)
}

export function transferFromRow(row: Selectable<Tables['transfers']>): TransferRecord {
  return {
    blockNumber: BigInt(row.block_number),
    transactionPosition: row.transaction_position,
    position: row.position,
    kind: transferKinds[row.kind] ?? 'native',
    token: value.address(row.token),
    sender: value.address(row.sender),
    recipient: value.address(row.recipient),
    tokenId: row.token_id === null ? undefined : value.bigint(row.token_id),
    amount: value.bigint(row.amount),
  }
}

/** The transfers of one transaction, in order, at most `limit`. */
export async function loadTransfersIn(
  queries: Queries,
  position: TransactionPosition,
  limit: number,
): Promise<TransferRecord[]> {
  const rows = await queries
    .selectFrom('transfers')
    .selectAll()
    .where(isOfTransaction(position))
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map(transferFromRow)
}

/** A token that was transferred from or to an address. */
export type MovedToken = { token: Address; kind: Exclude<TransferRecord['kind'], 'native'> }

/** The tokens that an address sent or received, in address order. Skips from token to token in the index. */
export async function loadTokensOf(
  queries: Queries,
  address: Address,
  { limit, after }: { limit: number; after: Address | undefined },
): Promise<MovedToken[]> {
  const holder = column.hex(address)
  // Ether has the zero address and is not included.
  const start = column.hex(after ?? zeroAddress)
  const nextAs = (party: 'sender' | 'recipient', than: RawBuilder<unknown>) => sql`select * from (
    select token from ${rowsOf('transfers')} where ${sql.ref(party)} = ${holder} and token > ${than} order by token limit 1) as next`
  const next = (than: RawBuilder<unknown>) => sql`(select token from (
    ${nextAs('sender', than)} union all ${nextAs('recipient', than)}) as nearest order by token limit 1)`
  const kind = (party: 'sender' | 'recipient') =>
    sql`(select kind from ${rowsOf('transfers')} where ${sql.ref(party)} = ${holder} and token = tokens.token limit 1)`
  const { rows } = await sql<{ token: Uint8Array; kind: number }>`
    with recursive tokens (token, number) as (
      select ${next(sql`${start}`)}, 1
      union all
      select ${next(sql`tokens.token`)}, number + 1 from tokens where token is not null and number < ${limit}
    )
    select token, coalesce(${kind('sender')}, ${kind('recipient')}) as kind
    from tokens where token is not null`.execute(queries)
  return rows.map((row) => ({
    token: value.address(row.token),
    kind: (transferKinds[row.kind] ?? 'erc20') as MovedToken['kind'],
  }))
}

/** The most recently received ids of a token, without duplicates. */
export async function loadTokenIds(
  queries: Queries,
  recipient: Address,
  token: Address,
  limit: number,
): Promise<bigint[]> {
  const rows = await queries
    .selectFrom('transfers')
    .select(['token_id', 'block_number'])
    .where('recipient', '=', column.hex(recipient))
    .where('token', '=', column.hex(token))
    .where('token_id', 'is not', null)
    .orderBy('block_number', 'desc')
    .limit(limit * 2)
    .execute()
  const ids = rows.flatMap((row) => (row.token_id === null ? [] : [value.bigint(row.token_id)]))
  return [...new Set(ids)].slice(0, limit)
}
