import type { OverrideTable } from '@understudy/evm'
import type { Queries } from '../storage/database.ts'
import { loadOverrideChange, loadOverrideSpans } from '../storage/records/state/overrideSpans.ts'
import { OverrideIndex } from './overrideIndex.ts'

/** Tables of other times that are kept. */
const tableLimit = 4

/** Tells what was overridden at some change of the network. */
export function createPastOverrides(queries: Queries): (seq: number) => Promise<OverrideTable | undefined> {
  /** By the change that made them what they are. */
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
