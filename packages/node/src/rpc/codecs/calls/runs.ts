import type { TracedRun } from '@understudy/evm'
import { z } from 'zod'
import type { Traces } from '../../../traces/traces.ts'
import { BlockTag } from '../blockTag.ts'
import { Hash } from '../hex.ts'
import { optional, withDefault } from '../optional.ts'
import { CallRequest } from './callRequest.ts'
import { BlockOverrides, StateOverrides } from './overrides.ts'

/**
 * How a run differs from what the network does. `functionOverrides: false`: without them. `live: true`: also without local
 * state, on the state of the live chain on which the block is based; the sender keeps its balance and nonce.
 */
const variant = { functionOverrides: withDefault(z.boolean(), true), live: withDefault(z.boolean(), false) }

/** A run to compare with another: a transaction, or a call with what it runs on. */
export const ComparedRun = z
  .union(
    [
      Hash,
      z.strictObject({ transaction: Hash, ...variant }),
      z.strictObject({
        call: CallRequest,
        block: withDefault(BlockTag, 'latest'),
        stateOverrides: optional(StateOverrides),
        blockOverrides: optional(BlockOverrides),
        ...variant,
      }),
    ],
    {
      error:
        'expected a transaction hash, or { transaction, functionOverrides, live }, or { call, block, stateOverrides, blockOverrides, functionOverrides, live }',
    },
  )
  .meta({
    title: 'ComparedRun',
    description: 'a run to compare with another: a transaction, or a call with what it runs on',
  })

export function runCompared(
  run: z.output<typeof ComparedRun>,
  { runTransaction, runCall, runPlain }: Pick<Traces, 'runTransaction' | 'runCall' | 'runPlain'>,
): Promise<TracedRun> {
  if (typeof run === 'string') return runTransaction(run)
  const isPlain = run.live || !run.functionOverrides
  const on = run.live ? 'live' : 'network'
  if ('transaction' in run) return isPlain ? runPlain(run.transaction, on) : runTransaction(run.transaction)
  const { call, block, stateOverrides, blockOverrides } = run
  const overrides = { state: stateOverrides, block: blockOverrides }
  return isPlain ? runPlain({ call, block, overrides }, on) : runCall(call, { block }, overrides)
}

/** A run to look into: a transaction, or a call on the state of a block. */
export const runSubject = {
  subject: z.union([Hash, CallRequest], { error: 'expected a transaction hash, or a call such as { to, data }' }),
  block: withDefault(BlockTag, 'latest'),
}
