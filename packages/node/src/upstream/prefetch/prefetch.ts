import type { Message, ReadSet, Word } from '@understudy/evm'
import type { WantedState } from '../wantedState.ts'
import type { CallHints } from './callHints.ts'
import type { LearnedSets } from './learnedSets.ts'

/** What a message is likely to read of the state at one block: a hint, never the truth. */
export type Prefetch = {
  /** What was learned from runs before; `undefined` when nothing was. */
  expect(message: Message, codeHash: Word | undefined): WantedState | undefined
  /** What upstream says, in one request. Never rejects; `undefined` when it does not say, or not soon. */
  ask(message: Message): Promise<WantedState | undefined>
  /** To be told of each run that had to load something; `codeHash` is that of the called address. */
  learn(message: Message, codeHash: Word | undefined, readSet: ReadSet): void
  /** To be told of each run that had not. */
  touch(message: Message): void
}

export function prefetchAt(block: bigint, hints: CallHints, sets: LearnedSets): Prefetch {
  return {
    expect: (message, codeHash) => sets.expect(message, codeHash),
    ask: (message) => hints.ask(message, block),
    learn: (message, codeHash, readSet) => sets.learn(message, codeHash, readSet),
    touch: (message) => sets.touch(message),
  }
}
