import { codec } from './codec.ts'

/** What a transaction of the live chain and its run here may differ in. */
export const shadowFields = ['status', 'reason', 'gas', 'logs', 'balances', 'storage'] as const
export type ShadowField = (typeof shadowFields)[number]

/**
 * Which divergences are expected.
 * - `ignore gas below 2 %`: gas that differs by less than this share of what the live chain used.
 * - `ignore storage`: a field.
 * - `only status`: all fields but the named ones; several such rules name several.
 * - `only event Swap`: whatever no such event is part of. By name, signature or first topic.
 */
export type ShadowRule =
  | { type: 'ignore gas'; percent: number }
  | { type: 'ignore' | 'only'; field: ShadowField }
  | { type: 'only event'; event: string }

const fields = shadowFields.join('|')
/** A percentage above 0 and below 1000. */
const share = String.raw`(?:[1-9]\d{0,2}(?:\.\d{1,9})?|0\.0{0,8}[1-9]\d{0,8}) ?%`
const rulePattern = `^(?:(?:ignore|only) (?:${fields})|ignore gas below ${share}|only event [^ ]{1,400})$`
const isRule = new RegExp(rulePattern)

/** A rule as text. */
export const shadowRule = codec<string, string>(
  `"ignore gas below 2 %", "ignore FIELD", "only FIELD" or "only event NAME", with a FIELD of ${shadowFields.join(', ')}`,
  (input) => (typeof input === 'string' && isRule.test(input) ? input : undefined),
  { title: 'ShadowRule', type: 'string', pattern: rulePattern },
)

/** Reads a `shadowRule`. */
export function parseShadowRule(rule: string): ShadowRule {
  const [verb, what = '', ...rest] = rule.split(' ')
  if (what === 'event') return { type: 'only event', event: rest.join(' ') }
  if (rest.length > 0) return { type: 'ignore gas', percent: Number.parseFloat(rest[1] ?? '') }
  const field = shadowFields.find((name) => name === what)
  if (!field || (verb !== 'ignore' && verb !== 'only')) throw new TypeError(`Not a rule: ${rule}`)
  return { type: verb, field }
}

/** What a webhook is told of. */
export const webhookEvents = ['divergences', 'invariants'] as const
export type WebhookEvent = (typeof webhookEvents)[number]
