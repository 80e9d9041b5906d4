import type { RecordTrigger } from '@understudy/client'
import type { TrackedItemRecord, TrackedValue } from '../storage/records/tracking/trackedItems.ts'
import type { Probe } from './probe.ts'

/** A tracked item as a client defines it. */
export type TrackedDefinition = TrackedValue & {
  name: string
  tags: string[]
  recordTrigger: RecordTrigger
  /** Blocks, or seconds. */
  trackingFrequency: number | undefined
}

/** A tracked item at run time. */
export type TrackedItem = {
  record: TrackedItemRecord
  probe: Probe
  /** The value of its current run, `null` if it has no run, `undefined` if unknown. */
  run: string | null | undefined
}

/** The fields of an item that recording changes. */
export type Progress = Pick<TrackedItemRecord, 'schedule' | 'lastError'>
