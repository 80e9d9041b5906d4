import type { Tables } from '../schema.ts'

/** Who writes, and what others have to read anew, is a matter of the place and not of the network. */
type Copied = Exclude<keyof Tables, 'writer' | 'lease' | 'revisions'>

/** The columns of each table that name a row, in the order in which rows are read and written. */
export const copiedTables = {
  settings: ['key'],
  codes: ['hash'],
  account_versions: ['address', 'seq'],
  slot_versions: ['address', 'slot', 'seq'],
  blocks: ['number'],
  transactions: ['block_number', 'position'],
  logs: ['block_number', 'position'],
  calls: ['block_number', 'transaction_position', 'position'],
  creations: ['address', 'block_number', 'transaction_position', 'position'],
  transfers: ['block_number', 'transaction_position', 'position'],
  mapping_keys: ['address', 'base', 'key'],
  pending_transactions: ['arrival'],
  follows: ['address', 'slot', 'from_seq'],
  snapshots: ['id'],
  rewinds: ['seq'],
  impersonated_accounts: ['address'],
  function_overrides: ['position'],
  override_spans: ['position'],
  tracked_items: ['number'],
  tracked_samples: ['item', 'block_number', 'position', 'timestamp'],
  tracked_transactions: ['block_number', 'position'],
  contracts: ['id'],
  contract_versions: ['id'],
  deployments: ['id'],
  explorer_contracts: ['address'],
  verifications: ['address'],
  workspaces: ['id'],
  upstream_values: ['address', 'field', 'first_block'],
  upstream_codes: ['hash'],
  audit_entries: ['id'],
} as const satisfies { [Name in Copied]: readonly (keyof Tables[Name] & string)[] }

export type CopiedTable = keyof typeof copiedTables

export const copiedTableNames = Object.keys(copiedTables) as CopiedTable[]

/** Columns that the database numbers by itself. */
export const numberedColumns = [
  ['pending_transactions', 'arrival'],
  ['snapshots', 'id'],
  ['function_overrides', 'position'],
  ['override_spans', 'position'],
  ['tracked_items', 'number'],
  ['audit_entries', 'id'],
] as const
