import type { Logger } from '../../../shared/logger.ts'
import type { UpstreamBlock } from '../blockGroup.ts'
import type { Sealer } from '../sealer.ts'

/** Decides when blocks are sealed. One of them is in force at a time. */
export type SealingMode = {
  /** Seals what can be sealed by now: the mode came into force, or the network began anew. */
  resume(): Promise<void>
  /** Makes durable what entered the pool: in a block, or as what waits for one. */
  store(): Promise<void>
  /** Called when the live chain has a new head. */
  onUpstreamHead(): void
  /** Another mode comes into force, or the network stops. Resolves when nothing of this one runs. */
  stop(): Promise<void>
}

export type SealingModeNeeds = {
  sealer: Sealer
  /** Runs alone what changes the network. */
  seal<T>(task: () => Promise<T>): Promise<T>
  /** Whether this node seals. */
  isRunning(): boolean
  /** Where the base moves with the next block: `undefined` leaves it. */
  nextBase(): UpstreamBlock | undefined
  logger: Logger
}
