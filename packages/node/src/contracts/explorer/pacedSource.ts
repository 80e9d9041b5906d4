import { createMutex } from '../../shared/async/mutex.ts'
import { type Clock, pause } from '../../shared/clock.ts'
import { type AbiSource, pauses, SourceFailure } from './abiSource.ts'

type PaceOptions = {
  /** Milliseconds between requests: the source's rate limit. */
  intervalMs: number
  /** Maximum number of waiting requests; further ones fail at once. */
  queueLimit: number
}

/** Maximum attempts for a rate-limited request. */
const attempts = 3

/**
 * Queries a source within its rate limit: one request at a time, with pauses in between. A source that is known to fail
 * is not queried.
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
        // Our own timeout is no failure of the source.
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
