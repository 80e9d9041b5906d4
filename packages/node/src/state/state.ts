import type { Word } from '@understudy/evm'
import type { Engine } from '../shared/engine.ts'
import { createMutex } from '../shared/mutex.ts'
import type { ChangeNotice } from '../storage/changeNotice.ts'
import type { Database, Queries } from '../storage/database.ts'
import type { BaseState } from '../upstream/baseState.ts'
import type { Base } from '../upstream/wantedState.ts'
import type { Change, CommitOutcome, StatePoint } from './change.ts'
import { CurrentState, type StateStart } from './currentState.ts'
import { createStateFollow, type StateFollow } from './stateFollow.ts'
import { createStateWrites, type StateWrites } from './stateWrites.ts'
import type { NetworkView } from './view.ts'

export type State = StateWrites &
  StateFollow & {
    /** Runs `task` alone: nothing else changes the state meanwhile. */
    exclusive<T>(task: () => Promise<T>): Promise<T>
    /** The newest state. The same object until it changes. */
    latest(): NetworkView
    /** The state after the change `seq` above another base; `live` is upstream's head then. */
    at(seq: number, base: Base, live: Base | undefined): Promise<NetworkView>
    /** The newest state, above another base and with what is followed read at `live`; without local state for what a wipe would leave. */
    above(base: Base, live: Base | undefined, local: 'with local state' | 'without local state'): NetworkView
    /** The number of the last change. */
    seq(): number
    /** What the next header has as its state root, if nothing changes any more. */
    commitment(): Word
    /**
     * Makes changes part of the network, in their order and in one SQL transaction. Only inside `exclusive`.
     */
    commit(changes: readonly Change[], outcome: CommitOutcome): Promise<void>
    /**
     * Stores what is in force from now on, and leaves state as it is: blocks sealed before it have smaller numbers than `seq`,
     * those after it greater ones. `then` runs before anything else changes.
     */
    mark(save: (queries: Queries, seq: number) => Promise<void>, then: () => void): Promise<void>
    /** Goes back to a point, forgetting every change after it; that is a change with a number of its own. Only inside `exclusive`. */
    revert(to: StatePoint, save: NonNullable<CommitOutcome['save']>): Promise<void>
    /** Takes in what another node stored; `base` is that of the newest block. Only inside `exclusive`. */
    refresh(notice: ChangeNotice, base: Base): Promise<void>
  }

type Needs = {
  database: Database
  baseStates: (base: Base) => BaseState
  engine: Pick<Engine, 'advance'>
}

/** `isFork`: false for a network that forks nothing, where nothing can be followed. */
export type StateOptions = StateStart & { isFork: boolean }

/** Opens the state as it was stored. */
export async function createState(options: StateOptions, needs: Needs): Promise<State> {
  const { run: exclusive } = createMutex()
  const current = await CurrentState.open(options, needs)
  return {
    ...createStateWrites({ ...needs, current, exclusive }),
    ...createStateFollow(options, { ...needs, current, exclusive }),
    exclusive,
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
    seq: () => current.seq,
    commitment: () => current.commitment,
    commit: (changes, outcome) => current.commit(changes, outcome),
    mark: (save, then) =>
      exclusive(async () => {
        await current.mark(save)
        then()
      }),
    revert: (to, save) => current.revert(to, save),
    refresh: (notice, base) => current.refresh(notice, base),
  }
}
