import { z } from 'zod'
import { shadowRule } from '../../../shared/shadow.ts'
import { Address } from '../../codecs/hex.ts'
import { Quantity64 } from '../../codecs/numbers.ts'
import { optional } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeShadow, exampleShadow, ShadowObject } from '../../encode/runs/divergence.ts'

const speedProblem = { error: 'expected a number of at most 1000, or 0 for no limit' }
const shareProblem = { error: 'expected a share above 0, at most 1' }

export const setShadow = defineMethod({
  name: 'dev_setShadow',
  summary:
    "Runs the live chain's own transactions on the changes that were made here: those that access something local run again in the block that replays theirs, and what comes about is compared. Enabling it sets the mining mode replay. `from`: the first block of the live chain; `contracts`: only transactions that access one of them; `share`: only this share of them, by hash; `speed`: at most so many times as fast as the live chain, while it catches up, or 0 for no limit; `rules`: what is expected to differ. Omitted fields keep their values.",
  role: 'admin',
  params: {
    settings: z.strictObject({
      enabled: optional(z.boolean()),
      from: optional(Quantity64),
      contracts: optional(z.array(Address).max(1000)),
      share: optional(z.number(shareProblem).gt(0, shareProblem).max(1, shareProblem)),
      speed: optional(z.number(speedProblem).min(0, speedProblem).max(1000, speedProblem)),
      rules: optional(z.array(shadowRule).max(100)),
    }),
  },
  result: ShadowObject,
  fields: {
    enabled: 'Whether transactions of the live chain run on the local changes.',
    from: 'Number of the first block of the live chain.',
    contracts: 'Only transactions that access one of these contracts.',
    share: 'Only this share of the transactions, above 0 and at most 1.',
    speed: 'At most so many times as fast as the live chain while shadowing catches up; 0 for no limit.',
    rules: 'Rules about what is expected to differ.',
  },
  errors: ['SHADOW_UNAVAILABLE'],
  example: { params: [{ enabled: true, rules: ['ignore gas below 2 %'] }], result: exampleShadow },
  async handler({ shadow }, { settings: { from, speed, ...settings } }) {
    await shadow.set({
      ...settings,
      ...(from !== undefined && { from: from.toString() }),
      ...(speed !== undefined && { speed: speed === 0 ? null : speed }),
    })
    return encodeShadow(await shadow.status())
  },
})
