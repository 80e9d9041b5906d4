import { chain, type MaybePromise } from '../../shared/async/maybePromise.ts'
import type { Logger } from '../../shared/logger.ts'
import type { BlockObservation, BlockObserver, SaveObserved } from './blockObserver.ts'

/** Combines several observers. An error of one is logged and does not affect the others or the block. */
export function combineObservers(observers: readonly BlockObserver[], logger: Logger): BlockObserver {
  const failed = (error: unknown) => logger.error({ err: error }, 'An observer of blocks failed')
  const guard = <T>(task: () => T): T | undefined => {
    try {
      return task()
    } catch (error) {
      failed(error)
      return undefined
    }
  }
  /** The results of a task for each of these observations, in order, from one on. Waits only for those that take long. */
  function inTurn<T>(
    observations: readonly BlockObservation[],
    task: (observation: BlockObservation) => MaybePromise<T | undefined>,
    results: T[] = [],
    start = 0,
  ): MaybePromise<T[]> {
    for (let index = start; index < observations.length; index++) {
      const result = guard(() => task(observations[index] as BlockObservation))
      if (result instanceof Promise)
        return result.catch(failed).then((settled) => {
          if (settled !== undefined) results.push(settled as T)
          return inTurn(observations, task, results, index + 1)
        })
      if (result !== undefined) results.push(result)
    }
    return results
  }

  return {
    begin(view): BlockObservation {
      const observations = observers.flatMap((observer) => guard(() => observer.begin(view)) ?? [])
      return {
        changed(diff) {
          for (const observation of observations) guard(() => observation.changed(diff))
        },
        afterTransaction(transaction) {
          const observed = inTurn(observations, (observation) => observation.afterTransaction(transaction))
          return observed instanceof Promise ? observed.then(() => {}) : undefined
        },
        sealed(block) {
          const saves = inTurn<SaveObserved>(observations, (observation) => observation.sealed(block))
          return chain(saves, together)
        },
        pauses: () => observations.some((observation) => observation.pauses?.() === true),
        committed(view) {
          for (const observation of observations) guard(() => observation.committed(view))
        },
      }
    },
    observesEmptyBlocks: () => observers.some((observer) => observer.observesEmptyBlocks()),
    async revertTo(queries, number) {
      for (const observer of observers) await observer.revertTo(queries, number)
    },
  }
}

function together(saves: readonly SaveObserved[]): SaveObserved | undefined {
  if (saves.length < 2) return saves[0]
  return async (queries) => {
    for (const save of saves) await save(queries)
  }
}
