import { NetworkError } from '../shared/errors.ts'
import type { Schedule } from '../storage/records/tracking/trackedItems.ts'
import type { TrackedDefinition } from './probe.ts'

/** Seconds in a year, also used for blocks. */
const frequencyLimit = 31_536_000

/** The schedule of an item without entries. Throws `INVALID_PARAMS` that names the field. */
export function scheduleOf({ recordTrigger: trigger, trackingFrequency: frequency }: TrackedDefinition): Schedule {
  if (frequency !== undefined && (!Number.isInteger(frequency) || frequency < 1 || frequency > frequencyLimit))
    throw invalid(`expected a whole number from 1 to ${frequencyLimit}, got ${frequency}`)
  if (trigger === 'every-tx') return { trigger, frequency, firstBlock: undefined }
  const unit = trigger === 'cron' ? 'seconds' : 'blocks'
  if (frequency === undefined) throw invalid(`is required when recordTrigger is "${trigger}": a number of ${unit}`)
  return trigger === 'cron'
    ? { trigger, frequency, lastTurnMs: undefined }
    : { trigger, frequency, firstBlock: undefined }
}

/** Whether an item has an entry. */
export function isStarted(schedule: Schedule): boolean {
  return (schedule.trigger === 'cron' ? schedule.lastTurnMs : schedule.firstBlock) !== undefined
}

/** The schedule after the first entry. */
export function started(schedule: Schedule, firstBlock: number, nowMs: number): Schedule {
  return schedule.trigger === 'cron' ? { ...schedule, lastTurnMs: nowMs } : { ...schedule, firstBlock }
}

/** The schedule after blocks above `number` were reverted. */
export function reverted(schedule: Schedule, number: number): Schedule {
  if (schedule.trigger === 'cron' || (schedule.firstBlock ?? 0) <= number) return schedule
  return { ...schedule, firstBlock: undefined }
}

/** Whether an item is recorded at the end of a block: for the first time, or after enough blocks. */
export function isDueAtBlock(schedule: Schedule, block: number, parent: number): boolean {
  if (!isStarted(schedule)) return true
  if (schedule.trigger !== 'every-n-blocks') return false
  const { firstBlock = 0, frequency } = schedule
  const turnsUntil = (number: number) => Math.floor((number - firstBlock) / frequency)
  return turnsUntil(block) > turnsUntil(parent)
}

/** When an item is next recorded by the clock, in milliseconds since 1970; infinity for other triggers. */
export function nextTurnMs(schedule: Schedule): number {
  if (schedule.trigger !== 'cron' || schedule.lastTurnMs === undefined) return Number.POSITIVE_INFINITY
  return schedule.lastTurnMs + schedule.frequency * 1000
}

/** The schedule after a recording by the clock. Several missed turns count once. */
export function advanced(schedule: Schedule, nowMs: number): Schedule {
  if (schedule.trigger !== 'cron') return schedule
  const { lastTurnMs = 0, frequency } = schedule
  const periodMs = frequency * 1000
  return { ...schedule, lastTurnMs: lastTurnMs + Math.floor((nowMs - lastTurnMs) / periodMs) * periodMs }
}

function invalid(problem: string): NetworkError {
  return new NetworkError('INVALID_PARAMS', { field: 'trackingFrequency', problem })
}
