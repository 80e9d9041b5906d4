/** A clock whose time moves only when a test says so. It has the shape of the node's own `Clock`. */
export type FakeClock = {
  /** Milliseconds since 1970. */
  now(): number
  after(delayMs: number, task: () => void): { cancel(): void }
  /** Moves the time by `ms`; what is due by then runs in its order, each at its own time. */
  advance(ms: number): void
  /** Moves the time to the first timer that waits and runs it. Answers by how many milliseconds, `undefined` when none waits. */
  advanceToNext(): number | undefined
  /** Milliseconds until each timer that waits, nearest first. */
  pending(): number[]
  /**
   * From now on, timers of at most `ms` milliseconds do not wait: the time jumps to them as soon as the program is idle.
   * Longer ones wait as before, and become due by the jumps. 0 turns it off.
   */
  skipUpTo(ms: number): void
  /** The lengths of the timers that were skipped, in their order. */
  skipped(): readonly number[]
  /** Resolves when at least `count` timers wait that are at most `withinMs` away; one of any length by default. */
  waiting(count?: number, withinMs?: number): Promise<void>
}

type Entry = { at: number; task: () => void }

/** Makes a clock that stands still at `start`, in milliseconds since 1970; by default the first second of 2026. */
export function createFakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start
  let entries: Entry[] = []
  let skipLimit = 0
  const skipped: number[] = []
  const watchers = new Set<() => void>()

  const advanceTo = (end: number): void => {
    while (entries[0] && entries[0].at <= end) runNext()
    now = Math.max(now, end)
  }

  const runNext = (): void => {
    const entry = entries.shift()
    if (!entry) return
    now = Math.max(now, entry.at)
    entry.task()
  }

  return {
    now: () => now,
    after(delayMs, task) {
      const entry = { at: now + delayMs, task }
      // The sort is stable: timers of the same time run in the order in which they were set.
      entries = [...entries, entry].sort((a, b) => a.at - b.at)
      for (const watcher of watchers) watcher()
      if (delayMs <= skipLimit) {
        setImmediate(() => {
          if (!entries.includes(entry)) return
          skipped.push(delayMs)
          advanceTo(entry.at)
        })
      }
      return {
        cancel() {
          entries = entries.filter((other) => other !== entry)
        },
      }
    },
    advance(ms) {
      advanceTo(now + ms)
    },
    advanceToNext() {
      if (!entries[0]) return undefined
      const before = now
      runNext()
      return now - before
    },
    skipUpTo(ms) {
      skipLimit = ms
    },
    skipped: () => skipped,
    pending: () => entries.map(({ at }) => at - now),
    waiting(count = 1, withinMs = Number.POSITIVE_INFINITY) {
      return new Promise((resolve) => {
        const check = () => {
          if (entries.filter(({ at }) => at - now <= withinMs).length < count) return
          watchers.delete(check)
          resolve()
        }
        watchers.add(check)
        check()
      })
    },
  }
}

/**
 * Milliseconds of processor time that this process has used, in all of its threads. What other processes do does not lengthen
 * them, so that a test may bound them while others run.
 */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
