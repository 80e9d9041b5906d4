import type { TrackedItemRecord } from '../storage/records/tracking/trackedItems.ts'
import type { Probe } from './probe.ts'

/** A tracked item at run time. */
export type TrackedItem = {
  record: TrackedItemRecord
  probe: Probe
  /** The value of its current run, `null` if it has no run, `undefined` if unknown. */
  run: string | null | undefined
}

/** The fields of an item that recording changes. */
export type Progress = Pick<TrackedItemRecord, 'anchor' | 'lastError'>
