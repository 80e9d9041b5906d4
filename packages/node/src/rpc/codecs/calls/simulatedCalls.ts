import { z } from 'zod'
import { BlockTag } from '../blockTag.ts'
import { Quantity64 } from '../numbers.ts'
import { optional, withDefault } from '../optional.ts'
import { CallRequest } from './callRequest.ts'
import { BlockOverrides, StateOverrides } from './overrides.ts'

/** The fields of a simulation of calls, each on the result of the previous one. */
export const simulatedCallFields = {
  calls: z.array(CallRequest).min(1, { error: 'is empty; pass at least one call' }).max(1000),
  block: withDefault(BlockTag, 'latest'),
  transactionIndex: optional(Quantity64),
  stateOverrides: optional(StateOverrides),
  blockOverrides: optional(BlockOverrides),
  onFailure: withDefault(z.enum(['continue', 'stop', 'revert']), 'continue'),
  validation: withDefault(z.boolean(), false),
  gasLimits: withDefault(z.boolean(), false),
  detail: withDefault(z.enum(['full', 'quick']), 'full'),
}
