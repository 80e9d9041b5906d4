import type { Word } from '@understudy/evm'
import { createMutex } from '../shared/async/mutex.ts'
import type { Clock } from '../shared/clock.ts'
import type { Engine } from '../shared/engine.ts'
import type { Database, Queries } from '../storage/database.ts'
import type { ChangeNotice } from '../storage/tables.ts'
import type { BaseState } from '../upstream/cache/baseState.ts'
import type { Base } from '../upstream/wantedState.ts'
import type { Change, CodeObserver, CommitOutcome, OtherState, RevertOutcome, StatePoint } from './change.ts'
import { CurrentState, type StateStart } from './currentState.ts'
import { createStateFollow, type StateFollow } from './stateFollow.ts'
import { createStateWrites, type StateWrites } from './stateWrites.ts'
import type { NetworkView } from './view.ts'

export type State = StateWrites &
  StateFollow & {
    /** Runs `task` exclusively: the state does not change otherwise. */
    exclusive<T>(task: () => Promise<T>): Promise<T>
    /** Whether a task waits for the end of another one. */
    isAwaited(): boolean
    /** The newest state. The same object until it changes. */
    latest(): NetworkView
    /** The state after the change `seq` on another base; `live` is upstream's head at that time. */
    at(seq: number, base: Base, live: Base | undefined): Promise<NetworkView>
    /**
     * The newest state on another base, with followed keys read at `live`; optionally without the local state that a
     * wipe would delete.
     */
    above(base: Base, live: Base | undefined, local: 'with local state' | 'without local state'): NetworkView
    /**
     * Whether the nonce of an account may have gone back: by a wipe, a resync, a lower nonce that was set, or while it is
     * followed. A transaction that is in a block already may then be valid again.
     */
    noncesMayRepeat(): boolean
    /** The number of the last change. */
    seq(): number
    /** The state root of the next header if nothing else changes. */
    commitment(): Word
    /** Commits changes in order, in one SQL transaction. Call only inside `exclusive`. */
    commit(changes: readonly Change[], outcome: CommitOutcome): Promise<void>
    /**
     * Stores a setting that applies from now on, without changing state: blocks sealed before it have smaller numbers
     * than `seq`, later ones greater. `then` runs before the next change.
     */
    mark(save: (queries: Queries, seq: number) => Promise<void>, then: () => void): Promise<void>
    /**
     * Reverts to an earlier point and deletes every later change; the revert has its own number. Call only inside
     * `exclusive`.
     */
    revert(to: StatePoint, outcome: RevertOutcome): Promise<void>
    /**
     * Takes over the state of another network in one change, and stores `save` with it. Call only inside `exclusive`.
     */
    takeOver(other: OtherState, save: (queries: Queries) => Promise<void>): Promise<void>
    /** Loads what another node stored; `base` is that of the latest block. Call only inside `exclusive`. */
    refresh(notice: ChangeNotice, base: Base): Promise<void>
  }

type Needs = {
  database: Database
  baseStates: (base: Base) => BaseState
  engine: Pick<Engine, 'advance' | 'retreat'>
  clock: Pick<Clock, 'now'>
  observeCode: CodeObserver
}

/** `isFork`: false if nothing is forked, so that nothing can be followed. */
export type StateOptions = StateStart & { isFork: boolean }

/** Opens the stored state. */
export async function createState(options: StateOptions, needs: Needs): Promise<State> {
  const { run: exclusive, isAwaited } = createMutex()
  const current = await CurrentState.open(options, needs)
  return {
    ...createStateWrites({ ...needs, current, exclusive }),
    ...createStateFollow(options, { ...needs, current, queries: needs.database.queries, exclusive }),
    exclusive,
    isAwaited,
    latest: () => current.latest,
    async at(seq, base, liveThen) {
      if (seq === current.seq && base.hash === current.base.hash) return current.latest
      return current.viewOf({ seq, base, live: liveThen ?? base, follows: await current.loadFollows(seq) })
    },
    above: (base, liveThen, local) =>
      current.viewOf({
        seq: local === 'with local state' ? current.seq : 0,
        base,
        live: liveThen ?? base,
        follows: current.follows,
      }),
    noncesMayRepeat: () => current.noncesMayRepeat,
    seq: () => current.seq,
    commitment: () => current.commitment,
    commit: (changes, outcome) => current.commit(changes, outcome),
    mark: (save, then) =>
      exclusive(async () => {
        await current.mark(save)
        then()
      }),
    revert: (to, outcome) => current.revert(to, outcome),
    takeOver: (other, save) => current.takeOver(other, save),
    refresh: (notice, base) => current.refresh(notice, base),
  }
}
