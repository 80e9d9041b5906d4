import type { Engine as OneEngine } from '@understudy/evm'
import type { Engine } from '../shared/engine.ts'
import type { OtherThreads } from './otherThreads.ts'

/** How long a run may compute before the event loop and other requests get a turn. */
export const sliceMs = 10
/** Calls that take longer are shared with other threads, in milliseconds: to hand one over takes half of it. */
const sharedMs = 0.02

type Needs = {
  threads: Pick<OtherThreads, 'output'> | undefined
  /** Whether others have their turn now. */
  isBusy(): boolean
  /** Called with the time that a run took. */
  onSpent(ms: number): void
}

/** Runs that end at once on the main engine, or not at all. */
export function createNowRuns(
  main: OneEngine | undefined,
  { threads, isBusy, onSpent }: Needs,
): Pick<Engine, 'runNow' | 'outputNow'> {
  /** What calls took that were answered at once, since others were served. */
  let nowMs = 0
  let nowCount = 0
  const resetNow = () => {
    nowMs = 0
    nowCount = 0
  }
  return {
    runNow(message, block, view, { time: _, trace: __, ...options }) {
      if (!main || isBusy()) return undefined
      const startedAt = performance.now()
      const until = startedAt + sliceMs
      try {
        const result = main.start(message, block, view, { ...options, shouldPause: () => performance.now() >= until })
        if (result.type !== 'paused') return result
        result.abandon()
        return undefined
      } finally {
        onSpent(performance.now() - startedAt)
      }
    },
    outputNow(message, block, view, { ms, mayWait, overrides, coverage }) {
      if (!main || isBusy()) return undefined
      // Two run in each thread for each that ran here in this turn of the event loop, which also reads and answers all of them.
      const isShared = mayWait && !coverage && nowMs > nowCount * sharedMs
      const shared = isShared && threads?.output({ message, block, view, overrides, ms }, 2 * nowCount)
      if (shared) return shared
      const startedAt = performance.now()
      if (nowCount++ === 0) setImmediate(resetNow)
      try {
        return main.output(message, block, view, {
          overrides,
          coverage,
          shouldPause: () => performance.now() - startedAt >= ms,
        })
      } finally {
        nowMs += performance.now() - startedAt
      }
    },
  }
}
