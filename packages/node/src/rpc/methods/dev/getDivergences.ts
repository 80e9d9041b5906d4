import { z } from 'zod'
import { shadowRule } from '../../../shared/shadow.ts'
import { Address, Hash } from '../../codecs/hex.ts'
import { optional, withDefault } from '../../codecs/optional.ts'
import { blockFields, optionsOf, pageFields } from '../../codecs/page.ts'
import { defineMethod } from '../../defineMethod.ts'
import { DivergenceObject, encodeDivergence, exampleDivergence } from '../../encode/runs/divergence.ts'
import { encodePage, pageObjectOf } from '../../encode/workspaces/workspaceActivity.ts'

export const getDivergences = defineMethod({
  name: 'dev_getDivergences',
  summary:
    'Returns transactions of the live chain that did not come out here as there, newest first: see dev_setShadow. `rules` replaces those that were set; `expected` lists what the rules expect too; `lines` finds the line where each failed here, as far as the time of the request goes.',
  role: 'read',
  params: {
    options: optionsOf({
      ...pageFields,
      ...blockFields,
      kinds: optional(z.array(z.enum(['diverged', 'refused', 'unreproducible'])).min(1)),
      isCascade: optional(z.boolean()),
      to: optional(Address),
      hash: optional(Hash),
      rules: optional(z.array(shadowRule).max(100)),
      expected: withDefault(z.boolean(), false),
      lines: withDefault(z.boolean(), false),
    }),
  },
  result: pageObjectOf(DivergenceObject),
  fields: {
    kinds: 'Only divergences of these kinds.',
    isCascade: 'Only consequences of earlier divergences, or only others.',
    to: 'Only transactions to this address.',
    hash: 'Only the transaction with this hash.',
    rules: 'Rules about what is expected to differ, instead of the rules that were set.',
    expected: 'Whether divergences that a rule expects are listed too.',
    lines: 'Whether the line of each failure is found, which takes time.',
  },
  example: { params: [{ limit: 1, rules: ['only status'] }], result: { items: [exampleDivergence], next: null } },
  handler: async ({ divergences }, { options }) => encodePage(await divergences.load(options), encodeDivergence),
})
