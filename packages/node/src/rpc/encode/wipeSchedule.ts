import type { WipeSchedule } from '../../chain/rewind/wipes.ts'

/** With the time of the last wipe in ISO 8601. */
export function encodeWipeSchedule({ lastWipeAt, ...schedule }: WipeSchedule) {
  return { ...schedule, lastWipeAt: lastWipeAt === null ? null : new Date(lastWipeAt).toISOString() }
}
