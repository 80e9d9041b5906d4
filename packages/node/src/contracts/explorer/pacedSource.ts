import { type Clock, pause } from '../../shared/clock.ts'
import { createMutex } from '../../shared/mutex.ts'
import { type AbiSource, pauses, SourceFailure } from './abiSource.ts'

type PaceOptions = {
  /** Milliseconds from one request to the next: what the source takes. */
  intervalMs: number
  /** Requests that wait for their turn; further ones fail at once. */
  queueLimit: number
}

/** How often a request is sent when the source takes too many at the time. */
const attempts = 3

/**
 * Asks a source no faster than it takes: one request at a time, with pauses between them. While a source is known to fail it is
 * not asked at all.
 */
export function createPacedSource(source: AbiSource, options: PaceOptions, { clock }: { clock: Clock }): AbiSource {
  const mutex = createMutex()
  let waiting = 0
  let nextAt = 0
  let failure: SourceFailure | undefined
  let failedUntil = 0

  function requireUsable(): void {
    if (failure && clock.now() < failedUntil) throw failure
  }

  async function attempt(...[address, signal]: Parameters<AbiSource['load']>) {
    for (let left = attempts - 1; ; left--) {
      requireUsable()
      const wait = nextAt - clock.now()
      if (wait > 0) await pause(clock, wait, signal)
      nextAt = clock.now() + options.intervalMs
      try {
        return await source.load(address, signal)
      } catch (error) {
        // We gave up, which says nothing of the source.
        if (signal.aborted || !(error instanceof SourceFailure)) throw error
        const isPassing = error.pauseMs <= pauses.rateLimited
        if (isPassing && left > 0) {
          nextAt = clock.now() + error.pauseMs
          continue
        }
        failure = error
        failedUntil = clock.now() + (isPassing ? pauses.down : error.pauseMs)
        throw error
      }
    }
  }

  return {
    name: source.name,
    async load(address, signal) {
      requireUsable()
      if (waiting >= options.queueLimit) throw new SourceFailure('has too many requests waiting', { pauseMs: 0 })
      waiting += 1
      try {
        return await mutex.run(() => attempt(address, signal))
      } finally {
        waiting -= 1
      }
    },
  }
}
