import { z } from 'zod'
import { codec } from '../../../shared/codec.ts'
import type { SimulationRequest } from '../../../simulation/simulation.ts'
import type { BlockTag as Tag } from '../../../state/blockTag.ts'
import { BlockTag } from '../blockTag.ts'
import { optional } from '../optional.ts'
import { CallRequest } from './callRequest.ts'
import { BlockOverrides, SimulatedBlockOverrides, StateOverrides } from './overrides.ts'

const SimulatedBlock = z
  .strictObject({
    blockOverrides: optional(SimulatedBlockOverrides),
    stateOverrides: optional(StateOverrides),
    calls: optional(z.array(CallRequest)),
  })
  .transform(({ blockOverrides = {}, stateOverrides, calls = [] }) => ({
    overrides: blockOverrides,
    state: stateOverrides,
    calls,
  }))

/** The input of `eth_simulateV1`. */
export const Simulation = z
  .strictObject({
    blockStateCalls: z.array(SimulatedBlock).min(1, { error: 'is empty; pass at least one block' }),
    traceTransfers: optional(z.boolean()),
    validation: optional(z.boolean()),
    returnFullTransactions: optional(z.boolean()),
  })
  .transform(({ blockStateCalls, traceTransfers, validation, returnFullTransactions }) => {
    const request: SimulationRequest = {
      blocks: blockStateCalls,
      traceTransfers: traceTransfers === true,
      validation: validation === true,
    }
    return { request, isFull: returnFullTransactions === true }
  })
  .meta({
    title: 'Simulation',
    description:
      'an object with blockStateCalls, a list of blocks, each with any of blockOverrides, stateOverrides, calls; and with any of traceTransfers, validation, returnFullTransactions',
  })

/** Bundles of calls, each executed in its own block. */
export const CallBundles = z
  .array(
    z
      .strictObject({ transactions: z.array(CallRequest), blockOverride: optional(BlockOverrides) })
      .transform(({ transactions, blockOverride }) => ({ calls: transactions, block: blockOverride })),
  )
  .meta({
    title: 'CallBundles',
    description: 'a list of bundles, each with transactions and an optional blockOverride',
  })

const TransactionIndex = codec<number | string, bigint>(
  'the index of a transaction, or -1 for after all of them',
  (input) => {
    const value = typeof input === 'string' && /^(0x[\da-f]{1,8}|\d{1,9}|-1)$/i.test(input) ? Number(input) : input
    return Number.isSafeInteger(value) && (value as number) >= -1 ? BigInt(value as number) : undefined
  },
  { title: 'TransactionIndex', type: ['integer', 'string'] },
)

/** The block on which bundles run, and before which of its transactions. */
export const BundleContext = z
  .strictObject({ blockNumber: optional(BlockTag), transactionIndex: optional(TransactionIndex) })
  .transform(({ blockNumber, transactionIndex: index }): { block: Tag; index?: bigint | undefined } => ({
    block: blockNumber ?? 'latest',
    index: index === -1n ? undefined : index,
  }))
  .meta({
    title: 'BundleContext',
    description:
      'an object with blockNumber, and with transactionIndex: the bundles run in that block before that transaction, or after all of them (-1, the default)',
  })
