import type { Queries } from './database.ts'
import type { AnnouncedTable } from './tables.ts'

/** What another node of the same network stored since this one looked last, as it was at one moment. */
export type ChangeNotice = {
  readonly queries: Queries
  /** Whether anything in a table changed. Known of announced tables only. */
  isChanged(table: AnnouncedTable): boolean
}
