/** Something with a life: it starts after what it needs and stops before it. */
export type Service = {
  start(): Promise<void>
  /** Resolves when nothing of it runs any more. Safe to call twice. */
  stop(): Promise<void>
}
