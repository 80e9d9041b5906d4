import type { StateDiff, Word } from '@understudy/evm'
import type { Queries } from '../storage/database.ts'
import type { KeptSlots } from '../storage/records/state/localState.ts'
import type { Base } from '../upstream/wantedState.ts'
import type { Released } from './release.ts'

/** A change that is about to become part of the network. */
export type Change = {
  diff: StateDiff
  /** What the state commits to after it; see `nextCommitment`. */
  commitment: Word
  /** Set when everything local goes first, but for these slots. */
  wipe?: { keep: KeptSlots; done(released: Released): void }
}

/** What changes bring about, beside themselves. */
export type CommitOutcome = {
  /** The block of upstream above which the network is then. */
  base: Base
  /** Of a view that already showed this state, so that the engine stays warm. */
  identity?: object | undefined
  /** Stores what belongs to the changes, in the same SQL transaction; the first of them has the number `seq`. */
  save?(queries: Queries, seq: number): Promise<void>
}

/** A state that the network had, to which it can go back. */
export type StatePoint = { seq: number; base: Base; commitment: Word }
