import type { Queries } from '../../storage/database.ts'
import type { BlockBuilder } from './blockBuilder.ts'
import type { UpstreamBlock } from './blockGroup.ts'

/** Runs what is in upstream's blocks on the state of this network, while they are replayed. */
export type BlockShadow = {
  /** Whether an upstream block is shadowed. */
  includes(block: UpstreamBlock): boolean
  /** Removes blocks here if upstream replaced those that they replay. Whether it did. */
  followReorg(next: UpstreamBlock): Promise<boolean>
  /** Resolves when it is time to seal the block that replays an upstream block. */
  pace(block: UpstreamBlock): Promise<void>
  /** Reads what is in an upstream block. Waits for upstream, and changes nothing. */
  prepare(block: UpstreamBlock): Promise<PreparedBlock>
}

export type PreparedBlock = {
  /** Runs its transactions in the block that replays it, inside `state.exclusive`. */
  run(builder: BlockBuilder): Promise<ShadowedBlock>
}

export type ShadowedBlock = {
  /** Stores what came about, in the commit of the block. */
  save(queries: Queries): Promise<void>
  /** Called when the block is durable. */
  committed(): void
}
