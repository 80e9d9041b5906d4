import type { TrackedItemRecord } from '../storage/records/tracking/trackedItems.ts'
import type { Probe } from './probe.ts'

/** A tracked item at work. */
export type TrackedItem = {
  record: TrackedItemRecord
  probe: Probe
  /** The value that its run goes on with, `null` when it has no run, `undefined` when that is not known. */
  run: string | null | undefined
}

/** What recording changes of an item. */
export type Progress = Pick<TrackedItemRecord, 'anchor' | 'lastError'>
