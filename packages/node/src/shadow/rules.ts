import type { ShadowField, ShadowRule } from '../shared/shadow.ts'
import type { ShadowKind } from '../storage/records/chain/shadowedTransactions.ts'
import type { Outcome } from './outcome.ts'

type Judged = {
  kind: ShadowKind
  fields: readonly ShadowField[]
  live: Outcome
  shadow: Outcome | undefined
  /** The names by which rules may call the events of each log that differs. */
  logs: readonly { events: readonly string[] }[]
  /** Whether there are more differences than were kept: a log of any event may be among them. */
  truncated: boolean
}

/** The fields that no rule expects to differ. Those of a transaction that was refused cannot be expected. */
export function unexpectedFields(
  { kind, fields, live, shadow, logs, truncated }: Judged,
  rules: readonly ShadowRule[],
): ShadowField[] {
  if (kind === 'refused') return [...fields]
  const only = rules.flatMap((each) => (each.type === 'only' ? [each.field] : []))
  const events = rules.flatMap((each) => (each.type === 'only event' ? [each.event] : []))
  const isNamed = logs.some((log) => log.events.some((event) => events.includes(event)))
  const mayBeNamed = isNamed || (truncated && fields.includes('logs'))
  if (events.length > 0 && !mayBeNamed) return []
  return fields.filter((field) => {
    if (only.length > 0 && !only.includes(field)) return false
    return !rules.some((each) => {
      if (each.type === 'ignore') return each.field === field
      return each.type === 'ignore gas' && field === 'gas' && shadow && gasChange(live, shadow) < each.percent
    })
  })
}

/** In percent of what the live chain used. */
function gasChange(live: Outcome, shadow: Outcome): number {
  const [there, here] = [Number(live.gasUsed), Number(shadow.gasUsed)]
  return (Math.abs(here - there) / there) * 100
}
