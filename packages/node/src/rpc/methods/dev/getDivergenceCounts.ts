import { z } from 'zod'
import { shadowRule } from '../../../shared/shadow.ts'
import { optional } from '../../codecs/optional.ts'
import { blockFields, optionsOf } from '../../codecs/page.ts'
import { defineMethod } from '../../defineMethod.ts'
import {
  DivergenceCountsObject,
  encodeDivergenceCounts,
  exampleDivergenceCounts,
} from '../../encode/runs/divergenceCounts.ts'

export const getDivergenceCounts = defineMethod({
  name: 'dev_getDivergenceCounts',
  summary:
    'Counts transactions of the live chain that did not come out here as there, by function and cause, and all shadowed transactions by spans of blocks. `rules` replaces those that were set.',
  role: 'read',
  params: { options: optionsOf({ ...blockFields, rules: optional(z.array(shadowRule).max(100)) }) },
  result: DivergenceCountsObject,
  fields: {
    rules: 'Rules about what is expected to differ, instead of the rules that were set.',
  },
  example: { params: [{ rules: ['only status'] }], result: exampleDivergenceCounts },
  handler: async ({ divergences }, { options }) => encodeDivergenceCounts(await divergences.count(options)),
})
