import type { Engine as OneEngine } from '@understudy/evm'
import type { Engine } from '../shared/engine.ts'

/** How long a run may compute before the event loop and other requests get a turn. */
export const sliceMs = 10
/** How long calls from memory may compute, one after the other, before the event loop gets a turn. */
const nowLimitMs = 50

type Needs = {
  /** Whether others have their turn now. */
  isBusy(): boolean
  /** Called with the time that a run took. */
  onSpent(ms: number): void
}

/** Runs that end at once on the main engine, or not at all. */
export function createNowRuns(
  main: OneEngine | undefined,
  { isBusy, onSpent }: Needs,
): Pick<Engine, 'runNow' | 'outputNow'> {
  /** What calls took that were answered at once, since others were served. */
  let nowMs = 0
  const resetNow = () => {
    nowMs = 0
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
    outputNow(message, block, view, { ms, overrides, coverage }) {
      if (!main || isBusy() || nowMs >= nowLimitMs) return undefined
      const startedAt = performance.now()
      if (nowMs === 0) setImmediate(resetNow)
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
