import type { Address as AddressHex, Word } from '@understudy/evm'
import { z } from 'zod'
import { Address } from '../hex.ts'
import { Quantity, Quantity64, Slot } from '../numbers.ts'
import { optional } from '../optional.ts'

/** Maximum number of slots in the conditions of one transaction, as in clients that have the method. */
const slotLimit = 1000

const Slots = z.record(Slot as z.ZodType<Word, string>, Quantity, {
  error: 'must be an object of values by slot: local state is not stored in a trie, so an account has no storage root',
})

/** Conditions of EIP-7796. */
export const TransactionConditions = z
  .strictObject({
    knownAccounts: optional(z.record(Address as z.ZodType<AddressHex, string>, Slots)),
    blockNumberMin: optional(Quantity64),
    blockNumberMax: optional(Quantity64),
    timestampMin: optional(Quantity64),
    timestampMax: optional(Quantity64),
  })
  .transform(({ knownAccounts = {}, ...bounds }) => {
    const accounts = Object.entries(knownAccounts) as [AddressHex, Record<Word, bigint>][]
    const slots = accounts.map(
      ([address, values]) => [address, new Map(Object.entries(values) as [Word, bigint][])] as const,
    )
    return { ...bounds, slots: new Map(slots) }
  })
  .refine(({ slots }) => [...slots.values()].reduce((sum, { size }) => sum + size, 0) <= slotLimit, {
    error: `has more than ${slotLimit} slots`,
  })
  .meta({
    title: 'TransactionConditions',
    description:
      'an object with any of knownAccounts (values of slots by account), blockNumberMin, blockNumberMax, timestampMin, timestampMax',
  })
