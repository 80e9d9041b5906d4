import type { Address } from '@understudy/evm'
import { sql } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { rowsOf } from '../../tables.ts'
import { type ContractRecord, type DeploymentRecord, deploymentFromRow } from './contracts.ts'

/** A project contract by the name of its workspace, with its latest version and latest deployment. */
export type DescribedContract = ContractRecord & {
  versionId: string
  versionNumber: number
  deployment: { id: string; address: Address } | undefined
  /** The number of deployments. */
  deployments: number
}

/** Contracts that have a deployment or were defined by a workspace; or the one with an id. Oldest first. */
export async function loadDescribedContracts(queries: Queries, id?: string): Promise<DescribedContract[]> {
  const wanted = id === undefined ? sql`(origin = 'manual' or deployment.id is not null)` : sql`contract.id = ${id}`
  const { rows } = await sql<{
    id: string
    origin: string
    name: string
    created_at: number
    version_id: string
    number: number
    deployment_id: string | null
    address: Uint8Array | null
    deployments: number
  }>`
    select contract.id, origin, coalesce(workspace_name, name) as name, contract.created_at, version.id as version_id, number,
      deployment.id as deployment_id, address,
      (select count(*) from ${rowsOf('deployments')} where contract_id = contract.id) as deployments
    from ${rowsOf('contracts', 'contract')}
    join ${rowsOf('contract_versions', 'version')} on version.contract_id = contract.id
      and number = (select max(number) from ${rowsOf('contract_versions')} where contract_id = contract.id)
    left join ${rowsOf('deployments', 'deployment')} on deployment.id = (
      select id from ${rowsOf('deployments')} where contract_id = contract.id order by created_at desc, id desc limit 1)
    where ${wanted} order by contract.created_at, contract.id`.execute(queries)
  return rows.map((row) => ({
    id: row.id,
    origin: row.origin as ContractRecord['origin'],
    name: row.name,
    createdAt: row.created_at,
    versionId: row.version_id,
    versionNumber: row.number,
    deployment:
      row.deployment_id === null || row.address === null
        ? undefined
        : { id: row.deployment_id, address: value.address(row.address) },
    deployments: Number(row.deployments),
  }))
}

/** Whether a contract is deployed at an address. */
export async function loadDeploymentAt(queries: Queries, contractId: string, address: Address): Promise<boolean> {
  const row = await queries
    .selectFrom('deployments')
    .select('id')
    .where('contract_id', '=', contractId)
    .where('address', '=', column.hex(address))
    .executeTakeFirst()
  return row !== undefined
}

/** The deployments of a contract, newest first, at most `limit` after `after`. */
export async function loadDeploymentPage(
  queries: Queries,
  contractId: string,
  { limit, after }: { limit: number; after: { createdAt: number; id: string } | undefined },
): Promise<DeploymentRecord[]> {
  let query = queries.selectFrom('deployments').selectAll().where('contract_id', '=', contractId)
  if (after) query = query.where(sql<boolean>`(created_at, id) < (${after.createdAt}, ${after.id})`)
  const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  return rows.map(deploymentFromRow)
}
