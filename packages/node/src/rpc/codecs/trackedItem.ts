import { recordTriggers, trackedTypes } from '@understudy/client/methods'
import { z } from 'zod'
import type { TrackedDefinition } from '../../tracking/tracking.ts'
import { FunctionAbi } from './contracts/localContract.ts'
import { Address } from './hex.ts'
import { optional, withDefault } from './optional.ts'

const Name = z.string().min(1, { error: 'is empty' }).max(256, { error: 'has more than 256 characters' })
/** What to record. */
export const TrackedType = z.enum(trackedTypes)
const AbiText = FunctionAbi.transform((abi) => (typeof abi === 'string' ? abi : JSON.stringify(abi)))
const Args = z.string({ error: 'expected a JSON array as a string, such as ["0x…"]' }).max(100_000)
const OutputPath = z.string().max(256)
/** When to record values. */
export const Trigger = z.enum(recordTriggers)
const Tags = z.array(z.string().max(256)).max(64, { error: 'has more than 64 tags' })

const valueFields = {
  address: Address,
  type: TrackedType,
  functionAbi: optional(AbiText),
  functionArgs: optional(Args),
  functionOutputPath: optional(OutputPath),
}

/** A value of the network: a balance, a slot or a function result. */
export const TrackedValue = z.strictObject(valueFields)

const fields = { ...valueFields, name: Name }

/** What the fields of a new or changed item mean. */
export const trackedItemFields = {
  address: 'The account or contract that is read.',
  type: 'Kind of value.',
  functionAbi:
    'ABI of the function whose result is read, as a signature, an ABI entry or JSON; for `storage-variable`, the slot.',
  functionArgs: 'Arguments of the function, as the text of a JSON array.',
  functionOutputPath: 'Which part of the result is read, such as `reserve0` or `[0].amount`.',
  name: 'Name for people, of at most 256 characters.',
  recordTrigger: 'When a value is recorded; `every-tx` by default: after each block with transactions.',
  trackingFrequency: 'With `every-n-blocks`, the number of blocks between two values.',
  tags: 'At most 64 words by which items are found.',
}

/** A new tracked item. How its fields combine is checked where it is used. */
export const TrackedItem = z.strictObject({
  ...fields,
  recordTrigger: withDefault(Trigger, 'every-tx'),
  trackingFrequency: optional(z.number()),
  tags: withDefault(Tags, []),
})

/** Any subset of fields; `null` removes an optional one. */
export const TrackedItemChanges = z
  .strictObject({
    ...fields,
    recordTrigger: Trigger.nullable().transform((trigger) => trigger ?? 'every-tx'),
    trackingFrequency: optional(z.number()),
    tags: Tags.nullable().transform((tags) => tags ?? []),
  })
  .partial()
  .transform((changes) => changes as Partial<TrackedDefinition>)

export const TrackedFilter = z.strictObject({
  address: optional(Address),
  tag: optional(z.string()),
  withValues: withDefault(z.boolean(), false),
})

const WholeNumber = z.int({ error: 'expected a whole number' })

/** A trailing time window. */
export const Period = z.enum(['10min', '1h', '1d', '1w', '1m'])

export const HistoryOptions = z.strictObject({
  period: optional(Period),
  maxBlockNumber: optional(WholeNumber.min(0, { error: 'expected a block number' })),
  limit: optional(WholeNumber.min(1, { error: 'expected at least 1' })),
})
