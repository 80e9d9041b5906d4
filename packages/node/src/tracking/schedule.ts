import type { TrackedItemRecord } from '../storage/records/tracking/trackedItems.ts'

type Schedule = Pick<TrackedItemRecord, 'anchor' | 'recordTrigger' | 'trackingFrequency'>

/** Whether an item is recorded at the end of a block: for the first time, or after enough blocks. */
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

/** When an item is next recorded by the clock, in milliseconds since 1970; `undefined` for other triggers. */
export function nextTurn({ anchor, recordTrigger, trackingFrequency = 1 }: Schedule): number | undefined {
  return recordTrigger === 'cron' && anchor !== undefined ? anchor + trackingFrequency * 1000 : undefined
}

/** The last scheduled time at or before `now`. Several missed ones count once. */
export function lastTurn({ anchor = 0, trackingFrequency = 1 }: Schedule, now: number): number {
  const period = trackingFrequency * 1000
  return anchor + Math.floor((now - anchor) / period) * period
}
