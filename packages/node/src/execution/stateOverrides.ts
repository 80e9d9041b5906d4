import type { Address, StateDiff, Word } from '@understudy/evm'
import { emptyDiff } from '../state/diff.ts'

/** State overrides of a call, by account. `state` replaces the whole storage, `stateDiff` single slots. */
export type StateOverrides = Map<
  Address,
  {
    balance?: bigint
    nonce?: bigint
    code?: Uint8Array
    state?: Map<Word, bigint>
    stateDiff?: Map<Word, bigint>
    /** The new address of the precompile at this address. */
    movePrecompileTo?: Address
  }
>

/** Converts state overrides to a diff. */
export function diffFromOverrides(overrides: StateOverrides): StateDiff {
  const diff = emptyDiff()
  for (const [address, { state, stateDiff, movePrecompileTo, ...fields }] of overrides) {
    diff.accounts.set(address, fields)
    if (state) diff.cleared.add(address)
    const slots = state ?? stateDiff
    if (slots) diff.slots.set(address, slots)
  }
  return diff
}
