import type { Address, StateDiff, Word } from '@understudy/evm'

/** A slot that two runs left with different values; `undefined` where a run did not write it. */
export type DifferentSlot = { address: Address; slot: Word; values: readonly [bigint | undefined, bigint | undefined] }

/** The slots that two runs left with different values, at most `limit`. */
export function differentSlots(a: StateDiff, b: StateDiff, limit: number): DifferentSlot[] {
  const found: DifferentSlot[] = []
  for (const address of new Set([...a.slots.keys(), ...b.slots.keys()])) {
    const [first, second] = [a.slots.get(address), b.slots.get(address)]
    for (const slot of new Set([...(first?.keys() ?? []), ...(second?.keys() ?? [])])) {
      const values = [first?.get(slot), second?.get(slot)] as const
      if (values[0] !== values[1]) found.push({ address, slot, values })
      if (found.length === limit) return found
    }
  }
  return found
}
