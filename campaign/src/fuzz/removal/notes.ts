import type { Figures } from '../../shared/figures.ts'
import type { Journal } from './journal.ts'

/** Adds what users did to the figures. */
export function note(
  figures: Figures,
  { entries, connections }: Journal,
  { startedAt, endedAt }: { startedAt: number; endedAt: number },
): void {
  const running = entries.filter((entry) => entry.sentAt < startedAt && entry.endedAt > startedAt)
  const longest = Math.max(0, ...running.map((entry) => entry.endedAt - startedAt))
  figures.add('requests', entries.length)
  figures.add('connections', connections.length)
  figures.add('requests that ran when the end was asked for', running.length)
  figures.raise('longest of them, ms', Math.round(longest))
  figures.raise('longest end, ms', Math.round(endedAt - startedAt))
}
