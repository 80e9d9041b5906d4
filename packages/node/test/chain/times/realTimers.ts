import type { Clock } from '../../../src/shared/clock.ts'

/** A clock whose time is that of another one, while its timers run as they do on the system. */
export function withRealTimers({ now }: Pick<Clock, 'now'>): Clock {
  return {
    now,
    after(ms, task) {
      const timer = setTimeout(task, ms)
      return { cancel: () => clearTimeout(timer) }
    },
  }
}
