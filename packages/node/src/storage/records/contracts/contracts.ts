import type { Address } from '@understudy/evm'
import { type Selectable, sql } from 'kysely'
import { yieldToEventLoop } from '../../../shared/yieldToEventLoop.ts'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import type { Tables } from '../../schema.ts'

export type ContractRecord = { id: string; origin: 'import' | 'manual'; name: string; createdAt: number }

export type ContractVersionRecord = {
  id: string
  contractId: string
  number: number
  /** JSON. */
  abi: string
  digest: string
  runtime: string | undefined
  creation: string | undefined
  runtimeTemplate: unknown
  creationTemplate: unknown
  storageLayout: unknown
  sourcePath: string | undefined
  source: string | undefined
  lines: unknown
  createdAt: number
}

export type DeploymentRecord = {
  id: string
  contractId: string
  versionId: string
  address: Address
  /** Where it was created on this network; `undefined` if it was created elsewhere. */
  blockNumber: bigint | undefined
  transactionPosition: number | undefined
  constructorArgs: unknown
  createdAt: number
}

const json = (part: unknown) => (part === undefined ? null : JSON.stringify(part))
const parsed = (text: string | null): unknown => (text === null ? undefined : JSON.parse(text))

export async function addContract(queries: Queries, record: ContractRecord): Promise<void> {
  const { createdAt, ...rest } = record
  await queries
    .insertInto('contracts')
    .values({ ...rest, created_at: createdAt, workspace_name: null })
    .execute()
}

export async function loadContracts(
  queries: Queries,
  filter: { id?: string; origin?: string } = {},
): Promise<ContractRecord[]> {
  let query = queries.selectFrom('contracts').selectAll()
  if (filter.id !== undefined) query = query.where('id', '=', filter.id)
  if (filter.origin !== undefined) query = query.where('origin', '=', filter.origin)
  const rows = await query.orderBy('created_at').orderBy('name').orderBy('id').execute()
  return rows.map(({ id, origin, name, created_at }) => ({
    id,
    origin: origin as ContractRecord['origin'],
    name,
    createdAt: created_at,
  }))
}

/** Names the workspace of an imported contract, which keeps the name that it is pushed by. */
export async function nameWorkspace(queries: Queries, id: string, name: string): Promise<void> {
  await queries.updateTable('contracts').set({ workspace_name: name }).where('id', '=', id).execute()
}

export async function renameContract(queries: Queries, id: string, name: string): Promise<void> {
  await queries.updateTable('contracts').set({ name }).where('id', '=', id).execute()
}

/** With its versions and deployments. */
export async function removeContract(queries: Queries, id: string): Promise<void> {
  await queries.deleteFrom('deployments').where('contract_id', '=', id).execute()
  await queries.deleteFrom('contract_versions').where('contract_id', '=', id).execute()
  await queries.deleteFrom('contracts').where('id', '=', id).execute()
}

export async function addContractVersion(queries: Queries, record: ContractVersionRecord): Promise<void> {
  await queries
    .insertInto('contract_versions')
    .values({
      id: record.id,
      contract_id: record.contractId,
      number: record.number,
      abi: record.abi,
      digest: record.digest,
      runtime: record.runtime ?? null,
      creation: record.creation ?? null,
      runtime_template: json(record.runtimeTemplate),
      creation_template: json(record.creationTemplate),
      storage_layout: json(record.storageLayout),
      source_path: record.sourcePath ?? null,
      source: record.source ?? null,
      lines: json(record.lines),
      created_at: record.createdAt,
    })
    .execute()
}

/** Keeps what is not given. Lines are those of their source, and replaced with it. */
export async function saveSource(
  queries: Queries,
  id: string,
  { source, sourcePath, lines }: Pick<ContractVersionRecord, 'source' | 'sourcePath' | 'lines'>,
): Promise<void> {
  const row = {
    ...(source !== undefined && { source }),
    ...(sourcePath !== undefined && { source_path: sourcePath }),
    ...((source ?? lines) !== undefined && { lines: json(lines) }),
  }
  if (Object.keys(row).length === 0) return
  await queries.updateTable('contract_versions').set(row).where('id', '=', id).execute()
}

/** The ids of the newest versions that have a source from these paths, by path. */
export async function loadSourceIds(queries: Queries, paths: readonly string[]): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map()
  const rows = await queries
    .selectFrom('contract_versions')
    .select(['id', 'source_path'])
    .where('source_path', 'in', paths)
    .where('source', 'is not', null)
    .orderBy('created_at')
    .execute()
  return new Map(rows.map(({ id, source_path }) => [source_path as string, id]))
}

export type TemplateRecord = Pick<
  ContractVersionRecord,
  'id' | 'contractId' | 'number' | 'digest' | 'runtimeTemplate' | 'creationTemplate'
>

/** The templates of every version, oldest first. */
export async function loadTemplates(queries: Queries): Promise<TemplateRecord[]> {
  const rows = await queries
    .selectFrom('contract_versions')
    .select(['id', 'contract_id', 'number', 'digest', 'runtime_template', 'creation_template'])
    .orderBy('number')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    contractId: row.contract_id,
    number: row.number,
    digest: row.digest,
    runtimeTemplate: parsed(row.runtime_template),
    creationTemplate: parsed(row.creation_template),
  }))
}

/** Oldest first. */
export async function loadContractVersions(
  queries: Queries,
  key: { id: string } | { contractId: string },
): Promise<ContractVersionRecord[]> {
  const query = queries.selectFrom('contract_versions').selectAll()
  const rows = await ('id' in key ? query.where('id', '=', key.id) : query.where('contract_id', '=', key.contractId))
    .orderBy('number')
    .execute()
  return rows.map(versionFromRow)
}

/** One part of a version: others may be large. Of those that are wanted at a time, one is read in each turn of the event loop. */
export async function loadVersionPart(
  queries: Queries,
  id: string,
  part: 'lines' | 'storage_layout',
): Promise<unknown> {
  await yieldToEventLoop()
  const row = await queries.selectFrom('contract_versions').select(part).where('id', '=', id).executeTakeFirst()
  return row && parsed((row as Partial<Record<typeof part, string | null>>)[part] ?? null)
}

/** The pushed source of a version; `undefined` if it has none. */
export async function loadVersionSource(
  queries: Queries,
  id: string,
): Promise<{ source: string; sourcePath: string | undefined } | undefined> {
  const row = await queries
    .selectFrom('contract_versions')
    .select(['source', 'source_path'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.source == null ? undefined : { source: row.source, sourcePath: row.source_path ?? undefined }
}

export type VersionSummary = Pick<ContractVersionRecord, 'id' | 'contractId' | 'number' | 'sourcePath' | 'createdAt'>

/** For every contract, oldest first. */
export async function loadVersionSummaries(queries: Queries): Promise<VersionSummary[]> {
  const rows = await queries
    .selectFrom('contract_versions')
    .select(['id', 'contract_id', 'number', 'source_path', 'created_at'])
    .orderBy('number')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    contractId: row.contract_id,
    number: row.number,
    sourcePath: row.source_path ?? undefined,
    createdAt: row.created_at,
  }))
}

function versionFromRow(row: Selectable<Tables['contract_versions']>): ContractVersionRecord {
  return {
    id: row.id,
    contractId: row.contract_id,
    number: row.number,
    abi: row.abi,
    digest: row.digest,
    runtime: row.runtime ?? undefined,
    creation: row.creation ?? undefined,
    runtimeTemplate: parsed(row.runtime_template),
    creationTemplate: parsed(row.creation_template),
    storageLayout: parsed(row.storage_layout),
    sourcePath: row.source_path ?? undefined,
    source: row.source ?? undefined,
    lines: parsed(row.lines),
    createdAt: row.created_at,
  }
}

/** Adds a deployment, or updates an existing one of that contract. Returns its id, which never changes. */
export async function saveDeployment(queries: Queries, record: DeploymentRecord): Promise<string> {
  const row = await queries
    .insertInto('deployments')
    .values({
      id: record.id,
      contract_id: record.contractId,
      version_id: record.versionId,
      address: column.hex(record.address),
      block_number: record.blockNumber === undefined ? null : Number(record.blockNumber),
      transaction_position: record.transactionPosition ?? null,
      constructor_args: json(record.constructorArgs),
      created_at: record.createdAt,
    })
    .onConflict((conflict) =>
      conflict.columns(['contract_id', 'address']).doUpdateSet({
        version_id: record.versionId,
        constructor_args: sql<string | null>`coalesce(excluded.constructor_args, deployments.constructor_args)`,
        block_number: sql<number | null>`coalesce(excluded.block_number, deployments.block_number)`,
        transaction_position: sql<
          number | null
        >`coalesce(excluded.transaction_position, deployments.transaction_position)`,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Newest last. */
export async function loadDeployments(
  queries: Queries,
  key: { contractId: string } | { addresses: readonly Address[] } | 'all',
): Promise<DeploymentRecord[]> {
  let query = queries.selectFrom('deployments').selectAll()
  if (key !== 'all')
    query =
      'contractId' in key
        ? query.where('contract_id', '=', key.contractId)
        : query.where('address', 'in', key.addresses.map(column.hex))
  const rows = await query.orderBy('created_at').orderBy('id').execute()
  return rows.map(deploymentFromRow)
}

export function deploymentFromRow(row: Selectable<Tables['deployments']>): DeploymentRecord {
  return {
    id: row.id,
    contractId: row.contract_id,
    versionId: row.version_id,
    address: value.address(row.address),
    blockNumber: row.block_number === null ? undefined : BigInt(row.block_number),
    transactionPosition: row.transaction_position ?? undefined,
    constructorArgs: parsed(row.constructor_args),
    createdAt: row.created_at,
  }
}
