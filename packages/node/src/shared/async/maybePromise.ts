/** A value that is there, or a promise of it where something has to be waited for. */
export type MaybePromise<Value> = Value | Promise<Value>

/** Goes on with a value: at once if it is there, so that no promise is made for what is in memory. */
export function chain<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Runs a task, and goes on with what it returns, or with what it throws or rejects with. */
export function settle<Value, Next>(
  task: () => MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
  failed: (error: unknown) => MaybePromise<Next>,
): MaybePromise<Next> {
  let value: MaybePromise<Value>
  try {
    value = task()
  } catch (error) {
    return failed(error)
  }
  return value instanceof Promise ? value.then(next, failed) : next(value)
}
