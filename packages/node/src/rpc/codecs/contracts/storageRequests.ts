import type { Address as AddressHex, Word } from '@understudy/evm'
import { z } from 'zod'
import { Address } from '../hex.ts'
import { Slot } from '../numbers.ts'

/** Maximum number of slots in one request, as in geth. */
const slotLimit = 1024

/** Slots by account. */
export const StorageRequests = z
  .record(Address as z.ZodType<AddressHex, string>, z.array(Slot))
  .transform((requests) => Object.entries(requests) as [AddressHex, Word[]][])
  .refine((requests) => requests.length > 0, { error: 'is empty; pass at least one account' })
  .refine((requests) => requests.reduce((sum, [, slots]) => sum + slots.length, 0) <= slotLimit, {
    error: `has more than ${slotLimit} slots`,
  })
  .meta({ title: 'StorageRequests', description: `an object of lists of slots by address, at most ${slotLimit} slots` })
