/** Runs tasks one at a time, in order of submission. */
export type Mutex = {
  run<T>(task: () => Promise<T>): Promise<T>
}

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(task) {
      const result = last.then(task)
      last = result.catch(() => {})
      return result
    },
  }
}

/** Runs the tasks of one key one at a time, in order of submission; tasks of different keys run concurrently. */
export type KeyedMutex<Key> = {
  /** Whether a task of the key runs or waits. */
  isBusy(key: Key): boolean
  run<T>(key: Key, task: () => Promise<T>): Promise<T>
}

export function createKeyedMutex<Key>(): KeyedMutex<Key> {
  const busy = new Map<Key, { mutex: Mutex; tasks: number }>()
  return {
    isBusy: (key) => busy.has(key),
    async run(key, task) {
      const entry = busy.get(key) ?? { mutex: createMutex(), tasks: 0 }
      busy.set(key, entry)
      entry.tasks++
      try {
        return await entry.mutex.run(task)
      } finally {
        entry.tasks--
        if (entry.tasks === 0) busy.delete(key)
      }
    },
  }
}
