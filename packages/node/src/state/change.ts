import type { Address, StateDiff, Word } from '@understudy/evm'
import type { Queries } from '../storage/database.ts'
import type { FollowedBalance } from '../storage/records/state/follows.ts'
import type { KeptSlots, SlotPositions, StateVersions } from '../storage/records/state/localState.ts'
import type { Base } from '../upstream/wantedState.ts'
import type { FollowSet } from './followSet.ts'
import type { Released } from './release.ts'

/** A change that is about to be committed. */
export type Change = {
  diff: StateDiff
  /** The state commitment after the change; see `nextCommitment`. */
  commitment: Word
  /** What wrote its slots, if it is a block. */
  writers?: SlotPositions
  /** Set if all local state is deleted first, except these slots. */
  wipe?: { keep: KeptSlots; done(released: Released): void }
}

/** What a commit changes besides state. */
export type CommitOutcome = {
  /** The upstream block that is the base after the commit. */
  base: Base
  /** The identity of a view that already has this state, so that the engine keeps its loaded state. */
  identity?: object | undefined
  /** How many changes, before the others, `save` stores itself. */
  stored?: number
  /** Stores other data of the changes in the same SQL transaction. The first number of the commit is `seq`. */
  save?(queries: Queries, seq: number): Promise<void>
  /** Runs in the moment in which the state is the new one, so that nothing reads it with the head of before. */
  shown?(): void
}

/**
 * Called before direct writes give code to accounts; what it returns runs in their SQL transaction. Code that transactions
 * create is observed with their block.
 */
export type CodeObserver = (codes: ReadonlyMap<Address, Uint8Array>) => Promise<(queries: Queries) => Promise<void>>

/** The state of another network, as far as it differs. */
export type OtherState = {
  /** Of the keys that differ, under the next number. */
  versions: StateVersions
  /** Of the whole state. */
  commitment: Word
  /** Everything that it follows. */
  follows: FollowSet
  /** The token balances for which it follows some of it. */
  balances: readonly FollowedBalance[]
}

/** What is stored in the SQL transaction of a revert. */
export type RevertOutcome = {
  /** Runs before anything is deleted. */
  before?(queries: Queries): Promise<void>
  /** Runs when state is reverted; the revert has the number `seq`. */
  save(queries: Queries, seq: number): Promise<void>
}

/** An earlier state that the network can revert to. */
export type StatePoint = { seq: number; base: Base; commitment: Word }
