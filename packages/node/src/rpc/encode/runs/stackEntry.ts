import { z } from 'zod'
import type { StackEntry } from '../../../traces/stackTraces.ts'
import { encodeRunPlace, runPlaceFields } from './runPlace.ts'

/** A place where a failure went through. */
export const StackEntryObject = z
  .object({
    ...runPlaceFields,
    /** Why it failed; null for callers. */
    message: z.string().nullable(),
  })
  .meta({ title: 'StackEntry' })

export const encodeStackEntry = (entry: StackEntry) => ({ ...encodeRunPlace(entry), message: entry.message ?? null })
