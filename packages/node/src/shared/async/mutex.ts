import type { MaybePromise } from './maybePromise.ts'

/** Runs tasks one at a time, in order of submission. */
export type Mutex = {
  run<T>(task: () => Promise<T>): Promise<T>
  /** Whether a task waits for the end of another one. */
  isAwaited(): boolean
}

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  let unfinished = 0
  const end = () => {
    unfinished--
  }
  return {
    run(task) {
      unfinished++
      const result = last.then(task)
      last = result.then(end, end)
      return result
    },
    isAwaited: () => unfinished > 1,
  }
}

/** Runs the tasks of one key one at a time, in order of submission; tasks of different keys run concurrently. */
type KeyedMutex<Key> = {
  /** A task for which nothing has to be waited runs at once. */
  run<T>(key: Key, task: () => Promise<T>): Promise<T>
  run<T>(key: Key, task: () => MaybePromise<T>): MaybePromise<T>
}

export function createKeyedMutex<Key>(): KeyedMutex<Key> {
  /** Resolves when the last task of a key has ended. */
  const busy = new Map<Key, Promise<void>>()
  return {
    run<T>(key: Key, task: () => MaybePromise<T>): Promise<T> {
      const before = busy.get(key)
      const result = before ? before.then(task) : task()
      if (!(result instanceof Promise)) return result as never
      const end = () => {
        if (busy.get(key) === ended) busy.delete(key)
      }
      const ended = result.then(end, end)
      busy.set(key, ended)
      return result
    },
  }
}
