import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import LibsqlDatabase from 'libsql'
import pg from 'pg'
import { dropNetwork, type NetworkLocation, requireDatabase } from '../../shared/database.ts'

/** Orphaned rows of the network itself, whose number is 0: each query returns those that should not exist. */
const orphans: Record<string, string> = {
  'transactions without a block': `select t.block_number from transactions t
    left join blocks b on b.branch = 0 and b.number = t.block_number where t.branch = 0 and b.number is null`,
  ...Object.fromEntries(
    ['logs', 'calls', 'transfers', 'creations'].map((table) => [
      `${table} without a transaction`,
      `select x.block_number from ${table} x left join transactions t
        on t.branch = 0 and t.block_number = x.block_number and t.position = x.transaction_position
        where x.branch = 0 and t.hash is null`,
    ]),
  ),
  'transactions without a call': `select t.block_number from transactions t left join calls c on c.branch = 0
    and c.block_number = t.block_number and c.transaction_position = t.position and c.position = 0
    where t.branch = 0 and (c.sender is null or c.sender <> t.sender)`,
  'recorded transactions that are not there': `select x.block_number from tracked_transactions x left join transactions t
    on t.branch = 0 and t.block_number = x.block_number and t.position = x.position
    where x.branch = 0 and (t.hash is null or t.hash <> x.hash)`,
  'samples of no block': `select s.block_number from tracked_samples s
    left join blocks b on b.branch = 0 and b.number = s.block_number where s.branch = 0 and b.number is null`,
  'samples of no item': `select s.block_number from tracked_samples s
    left join tracked_items i on i.branch = 0 and i.number = s.item where s.branch = 0 and i.number is null`,
  'deployments in no block': `select d.block_number from deployments d
    left join blocks b on b.branch = 0 and b.number = d.block_number
    where d.branch = 0 and d.block_number is not null and b.number is null`,
  'blocks whose change is older than that of the block before': `select b.number as block_number from blocks b
    join blocks p on p.branch = 0 and p.number = b.number - 1 where b.branch = 0 and p.seq >= b.seq`,
  'waiting transactions that are sealed': `select t.block_number from pending_transactions p
    join transactions t on t.branch = 0 and t.hash = p.hash where p.branch = 0`,
}

/** Tables that have rows of branches. */
const branchTables = ['account_versions', 'slot_versions', 'blocks', 'transactions', 'calls', 'settings', 'snapshots']

const branchOrphans: Record<string, string> = {
  ...Object.fromEntries(
    branchTables.map((table) => [
      `${table} of no branch`,
      `select x.branch from ${table} x left join branches b on b.number = x.branch
        where x.branch <> 0 and b.number is null`,
    ]),
  ),
  // The rows of one that was removed are deleted table by table.
  'transactions of a branch without a block': `select t.branch, t.block_number from transactions t
    join branches n on n.number = t.branch and n.id is not null
    left join blocks b on b.branch = t.branch and b.number = t.block_number where b.number is null`,
  'calls of a branch without a transaction': `select c.branch, c.block_number from calls c
    join branches n on n.number = c.branch and n.id is not null left join transactions t on t.branch = c.branch
      and t.block_number = c.block_number and t.position = c.transaction_position where t.hash is null`,
}

/** What removed branches have left. */
const leftOfBranches: Record<string, string> = {
  'branches that were removed': 'select number from branches',
  ...Object.fromEntries(
    branchTables.map((table) => [`${table} of removed branches`, `select branch from ${table} where branch <> 0`]),
  ),
}

/** Where a killed network is stored. */
export type StoredNetwork = {
  /** The options that select it on the command line. */
  readonly flags: readonly string[]
  /** Its data directory; `undefined` in a database. */
  readonly directory: string | undefined
  /** Checks the tables as a process left them. Throws if rows are orphaned, or if removed branches left some. */
  audit(branches?: 'without branches'): Promise<void>
  remove(): Promise<void>
}

/** A network in a directory of its own or, where a database is named, in a schema of its own. */
export function createStoredNetwork(databaseUrl: string): StoredNetwork {
  return databaseUrl === '' ? inDirectory() : inDatabase(databaseUrl)
}

function inDirectory(): StoredNetwork {
  const directory = mkdtempSync(join(tmpdir(), 'understudy-kill-'))
  return {
    flags: ['--data-dir', directory],
    directory,
    audit: (branches) => auditDirectory(directory, branches),
    remove: async () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** Checks the tables of a directory, in a copy, so that the start is not affected. Throws if rows are orphaned. */
export async function auditDirectory(directory: string, branches?: 'without branches'): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'understudy-audit-'))
  try {
    cpSync(directory, copy, { recursive: true })
    const sqlite = new LibsqlDatabase(join(copy, 'network.sqlite'))
    assert.deepEqual(sqlite.prepare('pragma integrity_check').all(), [{ integrity_check: 'ok' }])
    await auditBy(async (query) => sqlite.prepare(query).all(), branches)
    sqlite.close()
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function inDatabase(databaseUrl: string): StoredNetwork {
  const location = requireDatabase(databaseUrl)
  return {
    flags: ['--database-url', databaseUrl, '--network', location.network],
    directory: undefined,
    audit: (branches) => auditSchema(location, branches),
    remove: () => dropNetwork(location),
  }
}

/** The same for a schema. */
export async function auditSchema(
  { databaseUrl, network }: NetworkLocation,
  branches?: 'without branches',
): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    await client.query(`set search_path to ${network}`)
    // Statements in flight when the process was killed may still be stored: all queries must see the same state.
    await client.query('begin isolation level repeatable read read only')
    await auditBy(async (query) => (await client.query(query)).rows, branches)
  } finally {
    await client.end()
  }
}

async function auditBy(
  rowsOf: (query: string) => Promise<unknown[]>,
  branches: 'without branches' | undefined,
): Promise<void> {
  for (const [name, query] of Object.entries({ ...orphans, ...branchOrphans, ...(branches && leftOfBranches) })) {
    const found = await rowsOf(`${query} limit 3`)
    assert.deepEqual(found, [], `${name}: ${JSON.stringify(found)}`)
  }
}
