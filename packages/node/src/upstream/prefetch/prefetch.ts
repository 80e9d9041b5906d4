import type { Message, ReadSet, Word } from '@understudy/evm'
import type { WantedState } from '../wantedState.ts'
import type { CallHints } from './callHints.ts'
import type { LearnedSets } from './learnedSets.ts'

/** A hint about the state that a message will read at one block. It may be wrong. */
export type Prefetch = {
  /** Learned from earlier runs; `undefined` if there were none. */
  expect(message: Message, codeHash: Word | undefined): WantedState | undefined
  /**
   * Upstream's hint, in one request. Never rejects; `undefined` if there is none, or not soon, and if the first keys
   * that the message misses are known: the others probably are too.
   */
  ask(message: Message, missing: WantedState): Promise<WantedState | undefined>
  /** Called after a run that had to load state; `codeHash` is that of the called address. */
  learn(message: Message, codeHash: Word | undefined, readSet: ReadSet): void
  /** Called after a run that did not have to load state. */
  touch(message: Message): void
}

export function prefetchAt(
  block: bigint,
  hints: CallHints,
  sets: LearnedSets,
  isKnown: (keys: WantedState) => boolean,
): Prefetch {
  return {
    expect: (message, codeHash) => sets.expect(message, codeHash),
    ask: async (message, missing) => (isKnown(missing) ? undefined : hints.ask(message, block)),
    learn: (message, codeHash, readSet) => sets.learn(message, codeHash, readSet),
    touch: (message) => sets.touch(message),
  }
}
