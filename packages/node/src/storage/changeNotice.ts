import type { Queries } from './database.ts'
import type { AnnouncedTable } from './tables.ts'

/** What another node stored since this one last looked, as one snapshot. */
export type ChangeNotice = {
  readonly queries: Queries
  /** Whether a table changed. Only for announced tables. */
  isChanged(table: AnnouncedTable): boolean
}
