import { z } from 'zod'
import type { Entry, History, TrackedItemRecord } from '../../tracking/tracking.ts'
import { TrackedType, Trigger } from '../codecs/trackedItem.ts'
import { HexAddress, HexWord, Timestamp } from '../codecs/wire.ts'

const RecordedValue = z.object({ value: z.string(), blockNumber: z.number(), timestamp: Timestamp })

export const TrackedItemObject = z
  .object({
    id: z.string(),
    address: HexAddress,
    name: z.string(),
    type: TrackedType,
    functionAbi: z.string().optional(),
    functionArgs: z.string().optional(),
    functionOutputPath: z.string().optional(),
    recordTrigger: Trigger,
    trackingFrequency: z.number().optional(),
    tags: z.array(z.string()),
    createdAt: Timestamp,
    /** Why the last recording produced no value. */
    lastError: z.string().optional(),
    latestValue: RecordedValue.nullable().optional(),
  })
  .meta({ title: 'TrackedItem' })

const HistoryEntry = RecordedValue.extend({ txHash: HexWord })

/** The content of a notification. */
export const TrackedEntryObject = HistoryEntry.extend({ id: z.string() }).meta({ title: 'TrackedEntry' })

export const HistoryObject = z
  .object({
    values: z.array(HistoryEntry),
    anchor: RecordedValue.nullable(),
    periodStart: Timestamp,
    periodEnd: Timestamp,
  })
  .meta({ title: 'TrackedHistory' })

export function encodeTrackedItem(record: TrackedItemRecord): z.output<typeof TrackedItemObject> {
  const { id, address, name, type, functionAbi, functionArgs, functionOutputPath } = record
  const { schedule, tags, createdAt, lastError } = record
  return {
    id,
    address,
    name,
    type,
    functionAbi,
    functionArgs,
    functionOutputPath,
    recordTrigger: schedule.trigger,
    trackingFrequency: schedule.frequency,
    tags,
    createdAt: isoTime(createdAt),
    lastError,
  }
}

/** An entry without its cause. */
export function encodeRecordedValue(entry: Entry): z.output<typeof RecordedValue> {
  return { value: entry.value, blockNumber: entry.blockNumber, timestamp: isoTime(entry.timestamp) }
}

function encodeHistoryEntry(entry: Entry): z.output<typeof HistoryEntry> {
  return { ...encodeRecordedValue(entry), txHash: entry.txHash }
}

export function encodeTrackedEntry({ id, entry }: { id: string; entry: Entry }): z.output<typeof TrackedEntryObject> {
  return { id, ...encodeHistoryEntry(entry) }
}

export function encodeHistory({ values, anchor, ...period }: History): z.output<typeof HistoryObject> {
  return {
    values: values.map(encodeHistoryEntry),
    anchor: anchor ? encodeRecordedValue(anchor) : null,
    periodStart: isoTime(period.periodStart),
    periodEnd: isoTime(period.periodEnd),
  }
}

const isoTime = (ms: number) => new Date(ms).toISOString()

/** An example for the docs. */
export const exampleTrackedItem = {
  id: 'pfh0haxfpzowht3oi213cqos',
  address: '0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc',
  name: 'WETH in the pool',
  type: 'function-result',
  functionAbi: 'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)',
  functionOutputPath: 'reserve1',
  recordTrigger: 'every-tx',
  tags: ['pools'],
  createdAt: '2026-01-01T12:00:00.000Z',
} as const

export const exampleRecordedValue = {
  value: '5137482910834710293847',
  blockNumber: 24_140_007,
  timestamp: '2026-01-01T12:00:11.000Z',
}

export const exampleHistoryEntry = {
  ...exampleRecordedValue,
  txHash: '0xa0df00d5d4e49d19e22c585ba08fd56f4df8fcca6c3493646a4eaa6ef687e784',
} as const

export const exampleTrackedEntry = { id: exampleTrackedItem.id, ...exampleHistoryEntry }
