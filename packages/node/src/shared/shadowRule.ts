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

const eventLimit = 400

/** A rule as text. */
export const shadowRule = codec<string, string>(
  `"ignore gas below 2 %", "ignore FIELD", "only FIELD" or "only event NAME", with a FIELD of ${shadowFields.join(', ')}`,
  (input) => (typeof input === 'string' && parseShadowRule(input) ? input : undefined),
  { title: 'ShadowRule', type: 'string' },
)

export function parseShadowRule(text: string): ShadowRule | undefined {
  const [verb, what = '', ...rest] = text.split(' ')
  if (verb !== 'ignore' && verb !== 'only') return undefined
  const field = shadowFields.find((name) => name === what)
  if (field && rest.length === 0) return { type: verb, field }
  if (verb === 'ignore' && field === 'gas' && rest[0] === 'below') return belowOf(rest.slice(1).join(''))
  const [event = '', ...more] = rest
  const isEvent = verb === 'only' && what === 'event' && more.length === 0
  return isEvent && event !== '' && event.length <= eventLimit ? { type: 'only event', event } : undefined
}

function belowOf(share: string): ShadowRule | undefined {
  const percent = Number(share.slice(0, -1))
  return share.length > 1 && share.endsWith('%') && percent > 0 && percent <= 1000
    ? { type: 'ignore gas', percent }
    : undefined
}
