import type { Address } from '@understudy/evm'
import { yieldToEventLoop } from '../shared/yieldToEventLoop.ts'
import type { OtherState } from '../state/change.ts'
import { notLocal } from '../state/release.ts'
import type { ChangedKeys } from '../storage/records/branchChanges.ts'
import {
  chunks,
  type LocalAccountRecord,
  loadLocalAccounts,
  loadLocalSlots,
  loadWrittenSlots,
} from '../storage/records/state/localState.ts'
import type { NetworkParts } from './branchPoint.ts'
import type { CommonAncestor } from './commonAncestor.ts'

/** What makes a state that of another network, by keys that were written after their common ancestor. */
type Difference = Pick<OtherState, 'versions'> & { accounts: number; slots: number }

const fields = ['balance', 'nonce', 'codeHash'] as const

/** Of these keys, those whose local values in `from` are others than in `to`, as the next change of `to`. */
export async function localDifference(
  from: NetworkParts,
  to: NetworkParts,
  keys: ChangedKeys,
  commonAncestor: CommonAncestor,
): Promise<Difference> {
  const number = to.state.seq() + 1
  const versions: Difference['versions'] = { accounts: new Map(), slots: new Map(), codes: new Map() }
  let slotCount = 0
  for (const addresses of chunks([...keys.keys()])) {
    const there = await loadLocalAccounts(from.queries, addresses, from.state.seq())
    const here = await loadLocalAccounts(to.queries, addresses, to.state.seq())
    for (const address of addresses) {
      const after = there.get(address) ?? notLocal
      const before = here.get(address) ?? notLocal
      // Numbers of later changes have nothing to do with each other.
      const isCleared = (record: LocalAccountRecord) => (record.storageSeq ?? 0) > commonAncestor.seq
      const isRewritten = isCleared(after)
      if (isRewritten || isCleared(before) || fields.some((field) => before[field] !== after[field]))
        versions.accounts.set(address, isRewritten ? { ...after, storageSeq: number } : after)
      const words = new Set(keys.get(address))
      if (isRewritten || isCleared(before))
        for (const { queries } of [from, to])
          for (const { slot } of await loadWrittenSlots(queries, address)) words.add(slot)
      const wanted = [...words]
      const values = await loadLocalSlots(from.queries, address, wanted, from.state.seq(), after.storageSeq)
      const known = await loadLocalSlots(to.queries, address, wanted, to.state.seq(), before.storageSeq)
      const changed = wanted.filter((slot) => isRewritten || values.get(slot) !== known.get(slot))
      if (changed.length > 0)
        versions.slots.set(
          address,
          new Map(changed.map((slot) => [slot, values.get(slot) ?? (isRewritten ? 0n : undefined)])),
        )
      slotCount += changed.length
      if (wanted.length > 100) await yieldToEventLoop()
    }
    await yieldToEventLoop()
  }
  return {
    versions,
    accounts: new Set<Address>([...versions.accounts.keys(), ...versions.slots.keys()]).size,
    slots: slotCount,
  }
}
