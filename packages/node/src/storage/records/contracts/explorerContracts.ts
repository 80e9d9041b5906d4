import type { Address } from '@understudy/evm'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'

/** An explorer's answer about an upstream contract; without a source, no explorer has it. */
export type ExplorerContractRecord = {
  address: Address
  source: string | undefined
  name: string | undefined
  /** JSON. */
  abi: string | undefined
  implementation: Address | undefined
  compiler: string | undefined
  files: { path: string; content: string }[]
  fetchedAt: number
}

export async function loadExplorerContract(
  queries: Queries,
  address: Address,
): Promise<ExplorerContractRecord | undefined> {
  const row = await queries
    .selectFrom('explorer_contracts')
    .selectAll()
    .where('address', '=', column.hex(address))
    .executeTakeFirst()
  return (
    row && {
      address,
      source: row.source ?? undefined,
      name: row.name ?? undefined,
      abi: row.abi ?? undefined,
      compiler: row.compiler ?? undefined,
      files: row.files === null ? [] : JSON.parse(row.files),
      implementation: row.implementation === null ? undefined : value.address(row.implementation),
      fetchedAt: row.fetched_at,
    }
  )
}

/** The contracts whose ABI an explorer had, the last one first. */
export async function loadVerifiedAddresses(queries: Queries): Promise<Address[]> {
  const rows = await queries
    .selectFrom('explorer_contracts')
    .select('address')
    .where('abi', 'is not', null)
    .orderBy('fetched_at', 'desc')
    .execute()
  return rows.map(({ address }) => value.address(address))
}

export async function saveExplorerContract(queries: Queries, record: ExplorerContractRecord): Promise<void> {
  const row = {
    source: record.source ?? null,
    name: record.name ?? null,
    abi: record.abi ?? null,
    implementation: record.implementation === undefined ? null : column.hex(record.implementation),
    compiler: record.compiler ?? null,
    files: record.files.length === 0 ? null : JSON.stringify(record.files),
    fetched_at: record.fetchedAt,
  }
  await queries
    .insertInto('explorer_contracts')
    .values({ address: column.hex(record.address), ...row })
    .onConflict((conflict) => conflict.column('address').doUpdateSet(row))
    .execute()
}

/** Deletes everything, because the addresses now belong to another chain. */
export async function removeExplorerContracts(queries: Queries): Promise<void> {
  await queries.deleteFrom('explorer_contracts').execute()
}
