import { z } from 'zod'
import { BlockTag } from '../../codecs/blockTag.ts'
import { CallRequest } from '../../codecs/calls/callRequest.ts'
import { BlockOverrides, StateOverrides } from '../../codecs/calls/overrides.ts'
import { Quantity64 } from '../../codecs/numbers.ts'
import { optional, withDefault } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleOutcome } from '../../encode/outcome/exampleOutcome.ts'
import { encodeOutcome, OutcomeObject } from '../../encode/outcome/outcome.ts'
import { exampleEntry, simulationTexts } from '../../encode/outcome/storedSimulation.ts'
import { replayErrors } from '../../errorGroups.ts'

export const simulate = defineMethod({
  name: 'dev_simulate',
  summary:
    'Runs calls in order, each on the result of the previous one, and returns everything that is known about what they did: asset changes, approvals left behind, balances by address, the failure with its line, variables that changed, logs, inner calls, fees, the access list. A call that fails is a result. Nothing is stored unless `save` says so, which needs the role write.',
  role: 'read',
  isSlow: true,
  stores: ([request]) => ((request as { save?: unknown } | null | undefined)?.save ?? false) !== false,
  params: {
    request: z.strictObject({
      calls: z.array(CallRequest).min(1, { error: 'is empty; pass at least one call' }).max(1000),
      block: withDefault(BlockTag, 'latest'),
      transactionIndex: optional(Quantity64),
      stateOverrides: optional(StateOverrides),
      blockOverrides: optional(BlockOverrides),
      onFailure: withDefault(z.enum(['continue', 'stop', 'revert']), 'continue'),
      validation: withDefault(z.boolean(), false),
      gasLimits: withDefault(z.boolean(), false),
      detail: withDefault(z.enum(['full', 'quick']), 'full'),
      abis: withDefault(z.boolean(), false),
      save: withDefault(z.union([z.boolean(), z.enum(['succeeded', 'failed'])]), false),
    }),
  },
  result: OutcomeObject.extend({
    /** The ids of the results that were stored, by their index. */
    saved: z.array(z.string().nullable()),
  }),
  fields: {
    calls: 'The calls, as of `eth_call`.',
    transactionIndex: 'Runs the calls in the block before its transaction of this index, instead of after the block.',
    stateOverrides: 'What accounts have instead of their state, as of `eth_call`.',
    blockOverrides: 'What the block has instead, as of `eth_call`.',
    onFailure:
      'What a failed call does to the others. `continue` (default): they run; `stop`: those after it do not; `revert`: those before it are undone as well.',
    validation:
      'Applies the rules for transactions: the nonce, and the fees, which the sender must have. Otherwise a call pays only if it names a price.',
    gasLimits: 'Also finds the lowest gas limit with which each call succeeds, which takes several runs of it.',
    detail:
      '`quick` leaves out what takes more reads than the runs: names, variables, lines, allowances, tokens without events.',
    abis: 'Adds the ABIs of the contracts, which are long.',
    save: 'Stores each call, or only those that `succeeded` or `failed`, for dev_getSimulation. Needs the role write.',
  },
  errors: [
    ...replayErrors,
    'LIMIT_EXCEEDED',
    'NOT_A_PRECOMPILE',
    'PRECOMPILE_MOVED_TO_ITSELF',
    'PRECOMPILE_MOVED_TWICE',
  ],
  example: {
    params: exampleOutcome.params.map((request) => ({ ...request, save: true })),
    result: { ...exampleOutcome.result, saved: [exampleEntry.id] },
  },
  async handler({ outcomes, storedSimulations }, { request: { save, abis, ...request } }, { key }) {
    const outcome = await encodeOutcome(await outcomes.simulate(request), { abis })
    const isSaved = outcome.results.map(({ status }) => save === true || save === status)
    const ids = await storedSimulations.add(simulationTexts(outcome, request, isSaved), key)
    return { ...outcome, saved: isSaved.map((is) => (is ? (ids.shift() ?? null) : null)) }
  },
})
