import type { Address } from '@understudy/evm'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'

/** A wallet, or an upstream contract. */
export type WorkspaceRecord = {
  id: string
  kind: 'wallet' | 'mainnet-contract'
  address: Address
  name: string
  type: 'ERC20' | 'ERC721' | undefined
  createdAt: number
}

/** Adds a workspace, or renames the existing one of this kind and address. Returns it. */
export async function saveWorkspace(queries: Queries, record: WorkspaceRecord): Promise<WorkspaceRecord> {
  const { name, type } = record
  const row = await queries
    .insertInto('workspaces')
    .values({
      id: record.id,
      kind: record.kind,
      address: column.hex(record.address),
      name,
      type: type ?? null,
      created_at: record.createdAt,
    })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'address']).doUpdateSet({ name, ...(type !== undefined && { type }) }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  return fromRow(row)
}

export async function loadWorkspaces(queries: Queries, id?: string): Promise<WorkspaceRecord[]> {
  let query = queries.selectFrom('workspaces').selectAll()
  if (id !== undefined) query = query.where('id', '=', id)
  const rows = await query.orderBy('created_at').orderBy('id').execute()
  return rows.map(fromRow)
}

export async function removeWorkspace(queries: Queries, id: string): Promise<void> {
  await queries.deleteFrom('workspaces').where('id', '=', id).execute()
}

function fromRow(row: {
  id: string
  kind: string
  address: Uint8Array
  name: string
  type: string | null
  created_at: number
}): WorkspaceRecord {
  return {
    id: row.id,
    kind: row.kind as WorkspaceRecord['kind'],
    address: value.address(row.address),
    name: row.name,
    type: (row.type as WorkspaceRecord['type']) ?? undefined,
    createdAt: row.created_at,
  }
}
