import type { TrackedItemRecord } from '../storage/records/tracking/trackedItems.ts'

type Schedule = Pick<TrackedItemRecord, 'anchor' | 'recordTrigger' | 'trackingFrequency'>

/** Whether an item is recorded at the end of a block: for the first time, or because enough blocks have gone by. */
export function isDueAtBlock(
  { recordTrigger, trackingFrequency = 1 }: Schedule,
  anchor: number | undefined,
  block: number,
  parent: number,
): boolean {
  if (anchor === undefined) return true
  if (recordTrigger !== 'every-n-blocks') return false
  const turnsUntil = (number: number) => Math.floor((number - anchor) / trackingFrequency)
  return turnsUntil(block) > turnsUntil(parent)
}

/** When an item is recorded next by the clock, in milliseconds since 1970; `undefined` when that is not how it is recorded. */
export function nextTurn({ anchor, recordTrigger, trackingFrequency = 1 }: Schedule): number | undefined {
  return recordTrigger === 'cron' && anchor !== undefined ? anchor + trackingFrequency * 1000 : undefined
}

/** The last turn of a clock's schedule that is not after `now`: however many went by, they count once. */
export function lastTurn({ anchor = 0, trackingFrequency = 1 }: Schedule, now: number): number {
  const period = trackingFrequency * 1000
  return anchor + Math.floor((now - anchor) / period) * period
}
