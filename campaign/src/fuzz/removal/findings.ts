import { eventually } from '../../shared/eventually.ts'
import type { Journal } from './journal.ts'

/** What must be true of the users of a network that ended. */
export type Expected = {
  /** When the end was asked for, and when it was answered, by `performance.now()`. */
  startedAt: number
  endedAt: number
  /** The code with which WebSockets are closed. */
  code: number
  /** Whether the process ends too: what is sent when it is asked to may be answered by no process. */
  endsProcess?: boolean
}

/** How long after the end a request may still be answered, and a connection be open, in milliseconds. */
const boundMs = 3_000
/** How long an answer that was sent before the end may take to be read by a busy client, in milliseconds. */
const slackMs = 500

/** Waits until every connection is closed, or the bound has passed. */
export async function untilClosed({ connections }: Journal): Promise<void> {
  const open = () => connections.filter(({ closedAt }) => closedAt === undefined).length
  await eventually(async () => {
    if (open() > 0) throw new Error('open')
  }, boundMs).catch(() => {})
}

/** What users saw that they must not see. */
export function findingsOf(journal: Journal, { startedAt, endedAt, code, endsProcess }: Expected): string[] {
  const findings: string[] = []
  const goneAt = journal.goneAt()
  const since = (time: number) => `${Math.round(time - endedAt)} ms after the end`
  if (!endsProcess && goneAt === Number.POSITIVE_INFINITY) findings.push('no client was told that it is gone')
  for (const entry of journal.entries) {
    const { user, method, sentAt, ending } = entry
    const say = (problem: string) =>
      findings.push(`${method} of who ${user}, sent ${since(sentAt)}: ${ending} ${since(entry.endedAt)}, ${problem}`)
    const isAnswered = ending === 'answered'
    if (ending === 'refused INTERNAL') say('an internal error')
    else if (ending === 'not answered') say('too late')
    else if (isAnswered && sentAt > goneAt) say('after somebody was told that it is gone')
    else if (isAnswered && entry.endedAt > endedAt + slackMs) say('after the end')
    else if (ending === 'cut off' && !(endsProcess && sentAt > startedAt - slackMs)) say('without an answer')
    else if (ending.startsWith('closed') && ending !== `closed ${code}`) say(`not ${code}`)
    else if (sentAt > goneAt && ending.startsWith('refused') && !journal.isGone(ending)) say('by another error')
    else if (entry.endedAt - Math.max(sentAt, endedAt) > boundMs) say('too late')
  }
  for (const { user, askedAt, closedAt, code: actual, isLeft } of journal.connections) {
    const say = (problem: string) => findings.push(`the connection of who ${user} ${problem}`)
    if (askedAt > goneAt) say('was opened after somebody was told that it is gone')
    if (isLeft) continue
    if (closedAt === undefined) say('is still open')
    else if (closedAt - endedAt > boundMs) say(`was closed ${since(closedAt)}`)
    else if (actual !== undefined && actual !== code) say(`was closed with ${actual}, not ${code}`)
  }
  return findings
}
