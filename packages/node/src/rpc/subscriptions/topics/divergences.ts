import { z } from 'zod'
import { optional } from '../../codecs/optional.ts'
import { DivergenceObject, encodeDivergence, exampleDivergence } from '../../encode/runs/divergence.ts'
import { defineTopic } from '../defineTopic.ts'

export const divergences = defineTopic({
  name: 'dev_divergences',
  summary: 'Each transaction of the live chain that did not come out here as there, unless a rule expects it.',
  options: optional(z.strictObject({})),
  result: DivergenceObject,
  example: { result: exampleDivergence },
  start: (services, _options, notify) => services.divergences.subscribe((found) => notify(encodeDivergence(found))),
})
