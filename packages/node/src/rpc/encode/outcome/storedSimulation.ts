import { z } from 'zod'
import { hexFromBytes, quantity } from '../../../shared/hex.ts'
import type { SimulationEntry } from '../../../simulation/storedSimulations.ts'
import { DecimalString, HexAddress, HexBytes, Timestamp } from '../../codecs/wire.ts'
import { exampleOutcome } from './exampleOutcome.ts'
import { type EncodedOutcome, OutcomeObject } from './outcome.ts'

type EncodedCall = EncodedOutcome['results'][number]

/** What lists show of a simulation. */
const summaryFields = {
  blockNumber: z.number(),
  /** Seconds since 1970, of the simulated block. */
  timestamp: z.number(),
  chainId: z.number(),
  from: HexAddress,
  to: HexAddress.nullable(),
  value: DecimalString,
  /** At most the first 1 000 bytes. */
  input: HexBytes,
  nonce: DecimalString,
  gas: DecimalString,
  gasPrice: DecimalString,
  gasUsed: DecimalString,
  status: z.enum(['succeeded', 'failed']),
  /** The name of the function; null if it is not known. */
  function: z.string().nullable(),
  /** Why it failed. */
  error: z.string().nullable(),
}

export const SimulationEntryObject = z
  .object({
    id: z.string(),
    createdAt: Timestamp,
    /** Whether all keys may see it. */
    isShared: z.boolean(),
    /** The id of the key that saved it; null without keys. */
    owner: z.string().nullable(),
    ...summaryFields,
  })
  .meta({ title: 'SimulationEntry' })

/** A simulation as it was stored: it needs no live chain. */
export const StoredSimulationObject = SimulationEntryObject.extend({
  /** The call as it was asked for, and what it ran on: `block`, overrides, options. */
  request: z.record(z.string(), z.unknown()),
  block: OutcomeObject.shape.block,
  result: OutcomeObject.shape.results.element,
}).meta({ title: 'StoredSimulation' })

const inputLimit = 2 + 2 * 1000
const errorLimit = 200

/** What is stored of each call of a request that is wanted: what lists show, and all of it. The request is as it was decoded. */
export function simulationTexts(
  { block, results }: EncodedOutcome,
  { calls, ...options }: { calls: readonly unknown[] } & Record<string, unknown>,
  isWanted: readonly boolean[],
): { summary: string; content: string }[] {
  return results.flatMap((result, index) => {
    if (!isWanted[index]) return []
    const content = { request: asJson({ call: calls[index], ...options }), block, result }
    return { summary: JSON.stringify(summaryOf(block, result)), content: JSON.stringify(content) }
  })
}

function summaryOf(
  { number, timestamp, chainId }: EncodedOutcome['block'],
  { message, status, gasUsed, error, ...result }: EncodedCall,
): Omit<z.output<typeof SimulationEntryObject>, 'id' | 'createdAt' | 'isShared' | 'owner'> {
  const { from, to, value, input, nonce, gas, gasPrice } = message
  return {
    ...{ blockNumber: number, timestamp, chainId, from, to, value, input: input.slice(0, inputLimit) as HexText },
    ...{ nonce, gas, gasPrice, gasUsed, status, function: result.function?.name ?? null },
    error: error ? (error.reason ?? error.message).slice(0, errorLimit) : null,
  }
}

type HexText = `0x${string}`

/** Decoded parameters as clients send them. What is not given is left out. */
function asJson(value: unknown): unknown {
  if (typeof value === 'bigint') return quantity(value)
  if (value instanceof Uint8Array) return hexFromBytes(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(asJson)
  const entries = value instanceof Map ? [...value] : Object.entries(value)
  return Object.fromEntries(entries.map(([name, item]) => [name, asJson(item)]))
}

export function encodeEntry({ id, owner, createdAt, isShared, summary }: SimulationEntry) {
  return { id, createdAt: new Date(createdAt).toISOString(), isShared, owner: owner ?? null, ...JSON.parse(summary) }
}

const [exampleResult] = exampleOutcome.result.results
const { block: exampleBlock } = exampleOutcome.result
const { from, to, value, input, nonce, gas, gasPrice } = (exampleResult as { message: EncodedCall['message'] }).message

export const exampleEntry = {
  id: '3f0a8c52-9d61-4f0e-8a43-6f4c1c9d7b20',
  createdAt: '2026-01-01T00:00:00.000Z',
  isShared: false,
  owner: '9f86d081',
  ...{ blockNumber: exampleBlock.number, timestamp: exampleBlock.timestamp, chainId: exampleBlock.chainId },
  ...{ from, to, value, input, nonce, gas, gasPrice, gasUsed: exampleResult?.gasUsed, status: 'succeeded' },
  ...{ function: 'transfer', error: null },
}

export const exampleStored = {
  ...exampleEntry,
  request: { call: { from, to, data: input }, block: 'latest', onFailure: 'continue', validation: false },
  block: exampleBlock,
  result: exampleResult,
}
