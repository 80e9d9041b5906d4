import type { Address, Done, Word } from '@understudy/evm'
import { hexFromBytes, wordFromBigint } from '../shared/hex.ts'
import type { MappingKeyRecord } from '../storage/records/activity/mappingKeys.ts'

/** How far after a mapping's slot the members of a struct in it may lie. */
const structLimit = 64n
/** Slots below this are declared variables; hashes are not below it. */
const smallestHash = 1n << 128n

/**
 * The keys of mappings that a transaction used: hashes of 64 bytes (key and base slot) that were the slot of a read or a write,
 * or lie a little before one. For mappings in mappings the outer key is found by way of the inner one's base.
 */
export function mappingKeysOf({ preimages, readSet, diff }: Done, blockNumber: bigint): MappingKeyRecord[] {
  if (!preimages || preimages.size === 0) return []
  const hashes = [...preimages.keys()].sort()
  const found = new Map<string, MappingKeyRecord>()
  const add = (address: Address, hash: Word): void => {
    const preimage = preimages.get(hash)
    if (preimage?.length !== 64) return
    const id = address + hash
    if (found.has(id)) return
    const base: Word = hexFromBytes(preimage.slice(32))
    found.set(id, { address, base, key: hexFromBytes(preimage.slice(0, 32)), blockNumber })
    add(address, base)
    const outer = hashBefore(hashes, base)
    if (outer) add(address, outer)
  }
  const addresses = new Set([...readSet.slots.keys(), ...diff.slots.keys()])
  for (const address of addresses) {
    const slots = new Set([...(readSet.slots.get(address) ?? []), ...(diff.slots.get(address)?.keys() ?? [])])
    for (const slot of slots) {
      const hash = hashBefore(hashes, slot)
      if (hash) add(address, hash)
    }
  }
  return [...found.values()]
}

/** The hash that is the slot, or comes before it by less than a struct. */
function hashBefore(sorted: readonly Word[], slot: Word): Word | undefined {
  if (BigInt(slot) < smallestHash) return undefined
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? slot) <= slot) low = middle + 1
    else high = middle
  }
  const before = sorted[low - 1]
  if (before === undefined) return undefined
  return before >= wordFromBigint(BigInt(slot) - structLimit) ? before : undefined
}
