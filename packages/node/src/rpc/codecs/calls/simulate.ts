import { z } from 'zod'
import type { SimulationRequest } from '../../../simulation/simulation.ts'
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

/** The block on which bundles run. */
export const BundleContext = z
  .strictObject({ blockNumber: optional(BlockTag), transactionIndex: optional(z.literal(-1)) })
  .transform(({ blockNumber }) => blockNumber ?? 'latest')
  .meta({ title: 'BundleContext', description: 'an object with blockNumber; the bundles run after that block' })
