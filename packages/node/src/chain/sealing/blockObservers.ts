import type { Logger } from '../../shared/logger.ts'
import type { BlockObservation, BlockObserver } from './blockObserver.ts'

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
  const settle = async <T>(task: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await task()
    } catch (error) {
      failed(error)
      return undefined
    }
  }
  return {
    begin(view): BlockObservation {
      const observations = observers.flatMap((observer) => guard(() => observer.begin(view)) ?? [])
      return {
        changed(diff) {
          for (const observation of observations) guard(() => observation.changed(diff))
        },
        async afterTransaction(transaction) {
          for (const observation of observations) await settle(() => observation.afterTransaction(transaction))
        },
        async sealed(block) {
          const saves: ((queries: Parameters<BlockObserver['revertTo']>[0]) => Promise<void>)[] = []
          for (const observation of observations) {
            const save = await settle(() => observation.sealed(block))
            if (save) saves.push(save)
          }
          return async (queries) => {
            for (const save of saves) await save(queries)
          }
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
