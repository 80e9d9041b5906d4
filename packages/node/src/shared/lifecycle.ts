/** A service with a lifetime: it starts after its dependencies and stops before them. */
export type Service = {
  start(): Promise<void>
  /** Resolves when it has stopped completely. Safe to call twice. */
  stop(): Promise<void>
}
