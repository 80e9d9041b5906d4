import type { WipeSchedule } from '../../chain/rewind/wipes.ts'

/** The time of the last wipe is ISO 8601. */
export function encodeWipeSchedule({ lastWipeAt, ...schedule }: WipeSchedule) {
  return { ...schedule, lastWipeAt: lastWipeAt === null ? null : new Date(lastWipeAt).toISOString() }
}
