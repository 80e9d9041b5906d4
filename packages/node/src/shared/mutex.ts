/** Runs tasks one after the other, in the order in which they were handed in. */
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
