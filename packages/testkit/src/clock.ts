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
  /** Resolves when at least `count` timers wait. */
  waiting(count?: number): Promise<void>
}

type Entry = { at: number; task: () => void }

/** Makes a clock that stands still at `start`, in milliseconds since 1970; by default the first second of 2026. */
export function createFakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start
  let entries: Entry[] = []
  const watchers = new Set<() => void>()

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
      return {
        cancel() {
          entries = entries.filter((other) => other !== entry)
        },
      }
    },
    advance(ms) {
      const end = now + ms
      while (entries[0] && entries[0].at <= end) runNext()
      now = end
    },
    advanceToNext() {
      if (!entries[0]) return undefined
      const before = now
      runNext()
      return now - before
    },
    pending: () => entries.map(({ at }) => at - now),
    waiting(count = 1) {
      return new Promise((resolve) => {
        const check = () => {
          if (entries.length < count) return
          watchers.delete(check)
          resolve()
        }
        watchers.add(check)
        check()
      })
    },
  }
}
