/** Runs tasks of one key one after the other, in the order in which they were handed in, and those of several side by side. */
export type Turns<Key> = {
  run<T>(key: Key, task: () => Promise<T>): Promise<T>
}

export function createTurns<Key>(): Turns<Key> {
  const last = new Map<Key, Promise<void>>()
  return {
    run(key, task) {
      const result = (last.get(key) ?? Promise.resolve()).then(task)
      const ended = result
        .then(() => {})
        .catch(() => {})
        .finally(() => {
          if (last.get(key) === ended) last.delete(key)
        })
      last.set(key, ended)
      return result
    },
  }
}
