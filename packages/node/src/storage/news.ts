import type { Queries } from './database.ts'
import type { Tables } from './schema.ts'

/** What another node of the same network stored since this one looked last, as it was at one moment. */
export type News = {
  readonly queries: Queries
  /** Whether anything in a table changed. Known of tables in `announcedTables` only. */
  isChanged(table: AnnouncedTable): boolean
}

/**
 * The tables of which nodes keep rows in memory, and whose changes can't be told from the rows: each of them has a revision.
 * Blocks and versions of state have their numbers instead, and settings are few.
 */
export const announcedTables = [
  'audit_entries',
  'contract_versions',
  'contracts',
  'follows',
  'function_overrides',
  'impersonated_accounts',
  'pending_transactions',
  'rewinds',
  'tracked_items',
  'tracked_samples',
  'tracked_transactions',
] as const satisfies readonly (keyof Tables)[]

export type AnnouncedTable = (typeof announcedTables)[number]
