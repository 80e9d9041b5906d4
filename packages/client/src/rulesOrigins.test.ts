import { expect, it } from 'vitest'
import { describeRules } from './rulesOrigins.ts'

it('says how rules were found, and what disagrees with them', () => {
  expect(describeRules({ hardfork: 'osaka', source: 'probe', disagreement: null })).toBe(
    'osaka, by what upstream can run',
  )
  const disagreement = { source: 'schedule', hardfork: 'amsterdam' } as const
  expect(describeRules({ hardfork: 'osaka', source: 'probe', disagreement })).toBe(
    "osaka, by what upstream can run; the chain's schedule names amsterdam",
  )
})
