import type { Word } from '@understudy/evm'
import type { LocalAccountRecord } from '../storage/records/state/localState.ts'

/** The local fields of an account and its known local slots. */
export type LocalAccount = LocalAccountRecord & {
  /** True if `slots` has every local slot, so that no lookup is needed. */
  complete: boolean
  /** A value of `undefined` means that the slot is known not to be local. */
  slots: Map<Word, bigint | undefined>
  /** The newest change after which this was loaded or written. */
  seq: number
}
