import { type RawBuilder, sql } from 'kysely'
import type { Queries } from './database.ts'
import type { TableName, Tables } from './schema.ts'

/**
 * What a branch of a network reads in a table:
 * - `shared`: the same rows as its parent, which are not the network's own.
 * - `own`: rows of its own; none at the beginning.
 * - `copied`: copies of its parent's rows at the beginning. They are few.
 * - Otherwise its own rows, and those of its parent up to where it left it: by the column of the change's number, or
 *   that of the block; `time` is a column with the time, in milliseconds, if rows are added to a block later.
 */
export type BranchRows = 'shared' | 'own' | 'copied' | { seq: string } | { block: string; time?: string }

/** Properties of a table besides its columns, which are in schema.ts. */
type Table<Name extends keyof Tables> = {
  /**
   * The key columns, in the order in which rows are copied to another database. `false` for tables that belong to the
   * location of the network and are not copied: the lease, and revisions.
   */
  copied: readonly (keyof Tables[Name] & string)[] | false
  /**
   * Nodes keep rows of it in memory and cannot detect changes from the rows, so the table has a revision (see
   * `ChangeNotice`). Blocks and state versions have numbers instead, and settings are few.
   */
  announced: boolean
  /**
   * Rows belong to the block in `block_number` and are deleted when the network reverts before it. `pruned` rows are
   * also deleted when the block becomes too old; `kept` rows are not. `false` if rows do not belong to a block.
   */
  perBlock: 'pruned' | 'kept' | false
  /** What a branch has of the rows of its parent. */
  branch: BranchRows
  /** Rows of another table that a branch reads of its parent have these ids, so it does not use them again. */
  idsIn?: { table: keyof Tables; column: string }
  /** A row may have megabytes. */
  large?: true
  /** The columns with numbers of changes. */
  changes?: readonly (keyof Tables[Name] & string)[]
}

/** Every table of the database, in the order in which tables are copied. */
export const tables = {
  settings: { copied: ['key'], announced: false, perBlock: false, branch: 'copied' },
  codes: { copied: ['hash'], announced: false, perBlock: false, branch: 'shared', large: true },
  account_versions: {
    copied: ['address', 'seq'],
    announced: false,
    perBlock: false,
    branch: { seq: 'seq' },
    changes: ['seq'],
  },
  slot_versions: {
    copied: ['address', 'slot', 'seq'],
    announced: false,
    perBlock: false,
    branch: { seq: 'seq' },
    changes: ['seq'],
  },
  slot_writes: {
    copied: ['address', 'slot', 'block_number', 'position'],
    announced: false,
    perBlock: 'pruned',
    branch: { block: 'block_number' },
  },
  state_causes: { copied: ['seq'], announced: false, perBlock: false, branch: { seq: 'seq' }, changes: ['seq'] },
  slot_reverts: { copied: ['address', 'slot'], announced: false, perBlock: false, branch: 'own' },
  blocks: { copied: ['number'], announced: false, perBlock: false, branch: { block: 'number' }, changes: ['seq'] },
  block_runs: {
    copied: ['first_number'],
    announced: false,
    perBlock: false,
    branch: { block: 'last_number' },
    large: true,
    changes: ['last_seq'],
  },
  transactions: {
    copied: ['block_number', 'position'],
    announced: false,
    perBlock: 'pruned',
    branch: { block: 'block_number' },
  },
  logs: {
    copied: ['block_number', 'position'],
    announced: false,
    perBlock: 'pruned',
    branch: { block: 'block_number' },
  },
  calls: {
    copied: ['block_number', 'transaction_position', 'position'],
    announced: false,
    perBlock: 'pruned',
    branch: { block: 'block_number' },
  },
  creations: {
    copied: ['address', 'block_number', 'transaction_position', 'position'],
    announced: false,
    perBlock: 'kept',
    branch: { block: 'block_number' },
  },
  transfers: {
    copied: ['block_number', 'transaction_position', 'position'],
    announced: false,
    perBlock: 'pruned',
    branch: { block: 'block_number' },
  },
  mapping_keys: {
    copied: ['address', 'base', 'key'],
    announced: false,
    perBlock: 'kept',
    branch: { block: 'block_number' },
  },
  transaction_notes: { copied: ['hash'], announced: false, perBlock: 'pruned', branch: 'copied' },
  shadowed_transactions: {
    copied: ['block_number', 'position'],
    announced: false,
    perBlock: 'pruned',
    branch: { block: 'block_number' },
  },
  shadow_keys: { copied: ['address', 'slot'], announced: false, perBlock: 'kept', branch: 'copied' },
  invariants: { copied: ['number'], announced: true, perBlock: false, branch: 'copied' },
  invariant_failures: {
    copied: ['invariant', 'block_number'],
    announced: false,
    perBlock: 'kept',
    branch: 'copied',
  },
  pending_transactions: { copied: ['arrival'], announced: true, perBlock: false, branch: 'own' },
  blobs: { copied: ['position'], announced: false, perBlock: false, branch: 'own', large: true },
  follows: {
    copied: ['address', 'slot', 'from_seq'],
    announced: true,
    perBlock: false,
    branch: 'copied',
    changes: ['from_seq', 'until_seq'],
  },
  followed_balances: {
    copied: ['token', 'holder', 'address', 'slot', 'from_seq'],
    announced: false,
    perBlock: false,
    branch: 'copied',
    changes: ['from_seq', 'until_seq'],
  },
  snapshots: { copied: ['id'], announced: false, perBlock: false, branch: 'copied', changes: ['seq'] },
  snapshot_transactions: {
    copied: ['first_snapshot', 'position'],
    announced: false,
    perBlock: false,
    branch: 'own',
  },
  rewinds: { copied: ['seq'], announced: true, perBlock: false, branch: { seq: 'seq' }, changes: ['seq'] },
  impersonated_accounts: { copied: ['address'], announced: true, perBlock: false, branch: 'copied' },
  function_overrides: { copied: ['position'], announced: true, perBlock: false, branch: 'copied' },
  override_spans: {
    copied: ['position'],
    announced: false,
    perBlock: false,
    branch: 'copied',
    changes: ['from_seq', 'until_seq'],
  },
  tracked_items: {
    copied: ['number'],
    announced: true,
    perBlock: false,
    branch: 'copied',
    idsIn: { table: 'tracked_samples', column: 'item' },
  },
  tracked_samples: {
    copied: ['item', 'block_number', 'position', 'timestamp'],
    announced: true,
    perBlock: 'kept',
    branch: { block: 'block_number', time: 'timestamp' },
  },
  tracked_transactions: {
    copied: ['block_number', 'position'],
    announced: true,
    perBlock: 'kept',
    branch: { block: 'block_number' },
  },
  contracts: { copied: ['id'], announced: true, perBlock: false, branch: 'copied' },
  contract_versions: { copied: ['id'], announced: true, perBlock: false, branch: 'copied', large: true },
  deployments: { copied: ['id'], announced: false, perBlock: 'kept', branch: 'copied' },
  explorer_contracts: { copied: ['address'], announced: false, perBlock: false, branch: 'shared' },
  verifications: { copied: ['address'], announced: false, perBlock: false, branch: 'copied', large: true },
  workspaces: { copied: ['id'], announced: false, perBlock: false, branch: 'copied' },
  upstream_values: { copied: ['address', 'field', 'first_block'], announced: false, perBlock: false, branch: 'shared' },
  upstream_codes: { copied: ['hash'], announced: false, perBlock: false, branch: 'shared', large: true },
  live_answers: { copied: ['block_hash', 'key'], announced: false, perBlock: false, branch: 'shared', large: true },
  simulations: { copied: ['number'], announced: false, perBlock: false, branch: 'own', large: true },
  audit_entries: { copied: ['id'], announced: true, perBlock: false, branch: 'own' },
  branches: { copied: ['number'], announced: true, perBlock: false, branch: 'shared' },
  writer: { copied: false, announced: false, perBlock: false, branch: 'shared' },
  lease: { copied: false, announced: false, perBlock: false, branch: 'shared' },
  revisions: { copied: false, announced: false, perBlock: false, branch: 'shared' },
} as const satisfies { [Name in keyof Tables]: Table<Name> }

/** The tables of the cache of the live chain's state, which can be made anew. */
export const tablesOfCache = [
  'upstream_values',
  'upstream_codes',
  'live_answers',
] as const satisfies readonly TableName[]

/** The tables whose `Field` is one of `Values`. */
type TablesWith<Field extends 'copied' | 'announced' | 'perBlock', Values> = {
  [Name in TableName]: (typeof tables)[Name][Field] extends Values ? Name : never
}[TableName]

export type CopiedTable = TablesWith<'copied', readonly string[]>
export type AnnouncedTable = TablesWith<'announced', true>
type PrunedTable = TablesWith<'perBlock', 'pruned'>
type TableOfBlocks = TablesWith<'perBlock', 'pruned' | 'kept'>

/** The columns with numbers of changes. */
export const columnsOfChanges = Object.entries<Table<never>>(tables).flatMap(([name, { changes = [] }]) =>
  changes.map((column) => [name as TableName, column as string] as const),
)

const namesWhere = <Name extends TableName>(matches: (table: Table<never>) => boolean) =>
  Object.entries(tables).flatMap(([name, table]) => (matches(table as Table<never>) ? [name as Name] : []))

export const copiedTables = namesWhere<CopiedTable>(({ copied }) => copied !== false)
export const announcedTables = namesWhere<AnnouncedTable>(({ announced }) => announced)
/** The tables whose rows are deleted when the network reverts before their block. */
export const tablesOfBlocks = namesWhere<TableOfBlocks>(({ perBlock }) => perBlock !== false)
/** The tables whose rows are deleted when their block becomes too old. */
export const prunedTables = namesWhere<PrunedTable>(({ perBlock }) => perBlock === 'pruned')

/** A table to read in a `sql` template, where its plain name would be the rows of all networks. */
export const rowsOf = (name: TableName, alias: string = name): RawBuilder<unknown> =>
  sql`${sql.table(name)} as ${sql.ref(alias)}`

/** The rows of all networks in a table, with the column `branch` where they differ. */
export const allRowsOf = (name: TableName): RawBuilder<unknown> => sql.id(name)

/** What another node stored since this one last looked, as one snapshot. */
export type ChangeNotice = {
  readonly queries: Queries
  /** Whether a table changed. Only for announced tables. */
  isChanged(table: AnnouncedTable): boolean
}
