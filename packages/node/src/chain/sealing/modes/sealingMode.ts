import type { Logger } from '../../../shared/logger.ts'
import type { UpstreamBlock } from '../blockGroup.ts'
import type { Sealer } from '../sealer.ts'

/** Decides when blocks are sealed. One mode is active at a time. */
export type SealingMode = {
  /** Seals what can be sealed now: the mode became active, or the network was reset. */
  resume(): Promise<void>
  /** Makes transactions in the pool durable: in a block, or as pending. */
  store(): Promise<void>
  /** Called when the live chain has a new head. */
  onUpstreamHead(): void
  /** The mode ends, or the network stops. Resolves when its work has finished. */
  stop(): Promise<void>
}

export type SealingModeNeeds = {
  sealer: Sealer
  /** Runs changes of the network exclusively. */
  seal<T>(task: () => Promise<T>): Promise<T>
  /** Whether this node seals. */
  isRunning(): boolean
  /** The base of the next block: `undefined` keeps the current one. */
  nextBase(): UpstreamBlock | undefined
  logger: Logger
}
