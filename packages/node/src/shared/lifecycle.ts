/** A service with a lifetime: it starts after its dependencies and stops before them. */
export type Service = {
  start(): Promise<void>
  /** Resolves when it has stopped completely. Safe to call twice. */
  stop(): Promise<void>
}

/** Stops what was started, in reverse order, each once. */
export function createStopper() {
  const steps: (() => Promise<void>)[] = []
  return {
    add(step: () => Promise<void>): void {
      steps.push(step)
    },
    /** A step that fails does not prevent the others; the first error is thrown at the end. */
    async stop(): Promise<void> {
      const errors: unknown[] = []
      for (let step = steps.pop(); step; step = steps.pop()) await step().catch((error) => errors.push(error))
      if (errors.length > 0) throw errors[0]
    },
  }
}
