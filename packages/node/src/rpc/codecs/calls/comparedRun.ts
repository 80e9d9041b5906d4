import { z } from 'zod'
import type { Traces } from '../../../traces/traces.ts'
import { BlockTag } from '../blockTag.ts'
import { Hash } from '../hex.ts'
import { optional, withDefault } from '../optional.ts'
import { CallRequest } from './callRequest.ts'
import { BlockOverrides, StateOverrides } from './overrides.ts'

/** A run to compare with another: a transaction, or a call with what it runs on. */
export const ComparedRun = z.union(
  [
    Hash,
    z.strictObject({
      call: CallRequest,
      block: withDefault(BlockTag, 'latest'),
      stateOverrides: optional(StateOverrides),
      blockOverrides: optional(BlockOverrides),
    }),
  ],
  { error: 'expected a transaction hash, or { call, block, stateOverrides, blockOverrides }' },
)

export const runCompared = (
  run: z.output<typeof ComparedRun>,
  { runTransaction, runCall }: Pick<Traces, 'runTransaction' | 'runCall'>,
) =>
  typeof run === 'string'
    ? runTransaction(run)
    : runCall(run.call, { block: run.block }, { state: run.stateOverrides, block: run.blockOverrides })
