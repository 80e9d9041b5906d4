import type { Address } from '@understudy/evm'
import type { Selectable } from 'kysely'
import { column, value } from '../bytes.ts'
import type { Queries } from '../database.ts'
import type { Tables } from '../schema.ts'
import type { CallPlace } from './calls.ts'

/** Something that changed hands. */
export type TransferRecord = CallPlace & {
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
  for (let start = 0; start < rows.length; start += 500)
    await queries
      .insertInto('transfers')
      .values(rows.slice(start, start + 500))
      .execute()
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

/** What moved in one transaction, in order, at most `limit`. */
export async function loadTransfersIn(
  queries: Queries,
  blockNumber: bigint,
  transactionPosition: number,
  limit: number,
): Promise<TransferRecord[]> {
  const rows = await queries
    .selectFrom('transfers')
    .selectAll()
    .where('block_number', '=', Number(blockNumber))
    .where('transaction_position', '=', transactionPosition)
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map(transferFromRow)
}
