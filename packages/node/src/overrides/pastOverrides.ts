import type { OverrideTable } from '@understudy/evm'
import type { Queries } from '../storage/database.ts'
import { loadOverrideChange, loadOverrideSpans } from '../storage/records/state/overrideSpans.ts'
import { OverrideIndex } from './overrideIndex.ts'

/** Maximum number of cached past tables. */
const tableLimit = 4

/** Returns the overrides as of a change of the network. */
export function createPastOverrides(queries: Queries): (seq: number) => Promise<OverrideTable | undefined> {
  /** By the change that produced them. */
  const tables = new Map<number, OverrideTable | undefined>()
  return async (seq) => {
    const change = await loadOverrideChange(queries, seq)
    if (tables.has(change)) return tables.get(change)
    const index = new OverrideIndex()
    for (const span of await loadOverrideSpans(queries, change)) index.set(span)
    tables.set(change, index.table)
    const [oldest] = tables.keys()
    if (tables.size > tableLimit && oldest !== undefined) tables.delete(oldest)
    return index.table
  }
}
