import { z } from 'zod'
import type { WipeSchedule } from '../../chain/rewind/wipes.ts'
import { Address } from './hex.ts'
import { optional } from './optional.ts'
import { HexAddress, Timestamp } from './wire.ts'

/** Spenders whose Permit2 allowances survive a wipe. */
export const Routers = z
  .array(Address)
  .max(1000, { error: 'has more than 1000 addresses' })
  .transform((addresses) => [...new Set(addresses)])

export const WipeOptions = z.strictObject({ routers: optional(Routers) })

/** An interval of `null` ends the schedule; omitted fields keep their values. */
export const WipeScheduleChanges = z.strictObject({
  intervalMs: z
    .int({ error: 'expected a whole number of milliseconds, or null' })
    .min(1000, { error: 'expected at least 1000 milliseconds, or null' })
    .nullable()
    .optional(),
  onStartup: z.boolean().optional(),
  routers: Routers.optional(),
})

export const WipeScheduleResult = z.object({
  intervalMs: z.number().nullable(),
  routers: z.array(HexAddress),
  onStartup: z.boolean(),
  lastWipeAt: Timestamp.nullable(),
})

/** The time of the last wipe is ISO 8601. */
export function encodeWipeSchedule({ lastWipeAt, ...schedule }: WipeSchedule) {
  return { ...schedule, lastWipeAt: lastWipeAt === null ? null : new Date(lastWipeAt).toISOString() }
}
