import type { Message, Engine as OneEngine } from '@understudy/evm'
import type { Engine } from '../shared/engine.ts'
import type { OtherThreads } from './otherThreads.ts'

/** Calls that take longer are shared with other threads, in milliseconds: to hand one over takes half of it. */
const sharedMs = 0.02

type Needs = {
  threads: Pick<OtherThreads, 'output'> | undefined
  /** How long a run may take before it starts again in a lane, in milliseconds. */
  attemptMs: number
  /** Whether others have their turn now. */
  isBusy(): boolean
  /** Called with a message that took longer. */
  onLong(message: Message): void
}

/** Runs calls for their output alone, on the main engine. */
export function createOutputs(
  main: OneEngine | undefined,
  { threads, attemptMs, isBusy, onLong }: Needs,
): Engine['output'] {
  /** What calls took since others were served. */
  let takenMs = 0
  let count = 0
  const reset = () => {
    takenMs = 0
    count = 0
  }
  return (message, block, view, { time, mayShare, overrides, coverage }) => {
    const ms = Math.min(attemptMs, time.leftMs)
    if (!main || ms <= 0 || !time.mayAttempt || isBusy()) return undefined
    // Two run in each thread for each that ran here in this turn of the event loop, which also reads and answers all of them.
    const isShared = mayShare && !coverage && takenMs > count * sharedMs
    const shared = isShared && threads?.output({ message, block, view, overrides, ms }, 2 * count)
    if (shared) return shared
    const startedAt = performance.now()
    if (count++ === 0) setImmediate(reset)
    try {
      return main.output(message, block, view, {
        overrides,
        coverage,
        shouldPause: () => performance.now() - startedAt >= ms,
      })
    } finally {
      const tookMs = performance.now() - startedAt
      takenMs += tookMs
      time.spend(tookMs)
      if (tookMs >= ms) {
        time.attempted(tookMs)
        onLong(message)
      }
    }
  }
}
