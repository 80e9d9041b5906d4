import type { Tables } from './schema.ts'

/** What holds for a table beside its columns, which are in schema.ts. */
type Table<Name extends keyof Tables> = {
  /**
   * The columns that name a row, in the order in which rows are copied to another database. `false` when the table belongs to
   * the place of the network and is not copied: who writes, and what nodes have to read anew.
   */
  copied: readonly (keyof Tables[Name] & string)[] | false
  /**
   * Nodes keep rows of it in memory and can't tell from the rows that they changed, so the table has a revision (see notice.ts).
   * Blocks and versions of state have their numbers instead, and settings are few.
   */
  announced: boolean
  /**
   * Rows belong to the block in `block_number` and go when the network goes back before it. `pruned` rows also go when the
   * block becomes too old; `kept` ones stay. `false` when rows do not belong to a block.
   */
  perBlock: 'pruned' | 'kept' | false
  /** The database numbers the rows. */
  numbered?: true
  /** A row may have megabytes. */
  large?: true
}

/** Every table of the database, in the order in which tables are copied. */
export const tables = {
  settings: { copied: ['key'], announced: false, perBlock: false },
  codes: { copied: ['hash'], announced: false, perBlock: false, large: true },
  account_versions: { copied: ['address', 'seq'], announced: false, perBlock: false },
  slot_versions: { copied: ['address', 'slot', 'seq'], announced: false, perBlock: false },
  blocks: { copied: ['number'], announced: false, perBlock: false },
  transactions: { copied: ['block_number', 'position'], announced: false, perBlock: 'pruned' },
  logs: { copied: ['block_number', 'position'], announced: false, perBlock: 'pruned' },
  calls: { copied: ['block_number', 'transaction_position', 'position'], announced: false, perBlock: 'pruned' },
  creations: {
    copied: ['address', 'block_number', 'transaction_position', 'position'],
    announced: false,
    perBlock: 'kept',
  },
  transfers: { copied: ['block_number', 'transaction_position', 'position'], announced: false, perBlock: 'pruned' },
  mapping_keys: { copied: ['address', 'base', 'key'], announced: false, perBlock: 'kept' },
  pending_transactions: { copied: ['arrival'], announced: true, perBlock: false, numbered: true },
  follows: { copied: ['address', 'slot', 'from_seq'], announced: true, perBlock: false },
  snapshots: { copied: ['id'], announced: false, perBlock: false, numbered: true },
  rewinds: { copied: ['seq'], announced: true, perBlock: false },
  impersonated_accounts: { copied: ['address'], announced: true, perBlock: false },
  function_overrides: { copied: ['position'], announced: true, perBlock: false, numbered: true },
  override_spans: { copied: ['position'], announced: false, perBlock: false, numbered: true },
  tracked_items: { copied: ['number'], announced: true, perBlock: false, numbered: true },
  tracked_samples: { copied: ['item', 'block_number', 'position', 'timestamp'], announced: true, perBlock: 'kept' },
  tracked_transactions: { copied: ['block_number', 'position'], announced: true, perBlock: 'kept' },
  contracts: { copied: ['id'], announced: true, perBlock: false },
  contract_versions: { copied: ['id'], announced: true, perBlock: false, large: true },
  deployments: { copied: ['id'], announced: false, perBlock: 'kept' },
  explorer_contracts: { copied: ['address'], announced: false, perBlock: false },
  verifications: { copied: ['address'], announced: false, perBlock: false, large: true },
  workspaces: { copied: ['id'], announced: false, perBlock: false },
  upstream_values: { copied: ['address', 'field', 'first_block'], announced: false, perBlock: false },
  upstream_codes: { copied: ['hash'], announced: false, perBlock: false, large: true },
  audit_entries: { copied: ['id'], announced: true, perBlock: false, numbered: true },
  writer: { copied: false, announced: false, perBlock: false },
  lease: { copied: false, announced: false, perBlock: false },
  revisions: { copied: false, announced: false, perBlock: false },
} as const satisfies { [Name in keyof Tables]: Table<Name> }

type TableName = keyof typeof tables
/** The tables whose `Field` is one of `Values`. */
type TablesWith<Field extends 'copied' | 'announced' | 'perBlock', Values> = {
  [Name in TableName]: (typeof tables)[Name][Field] extends Values ? Name : never
}[TableName]

export type CopiedTable = TablesWith<'copied', readonly string[]>
export type AnnouncedTable = TablesWith<'announced', true>
type PrunedTable = TablesWith<'perBlock', 'pruned'>
type TableOfBlocks = TablesWith<'perBlock', 'pruned' | 'kept'>

const namesWhere = <Name extends TableName>(matches: (table: Table<never>) => boolean) =>
  Object.entries(tables).flatMap(([name, table]) => (matches(table as Table<never>) ? [name as Name] : []))

export const copiedTables = namesWhere<CopiedTable>(({ copied }) => copied !== false)
export const announcedTables = namesWhere<AnnouncedTable>(({ announced }) => announced)
/** The tables whose rows go when the network goes back before their block. */
export const tablesOfBlocks = namesWhere<TableOfBlocks>(({ perBlock }) => perBlock !== false)
/** The tables whose rows go when their block becomes too old. */
export const prunedTables = namesWhere<PrunedTable>(({ perBlock }) => perBlock === 'pruned')
