import type { Address, Done, Word } from '@understudy/evm'
import { hexFromBytes, wordFromBigint } from '../shared/hex.ts'
import type { MappingKeyRecord } from '../storage/records/activity/mappingKeys.ts'

/** Maximum distance of a struct member from its mapping slot. */
const structLimit = 64n
/** Lower slots are declared variables; hashes are higher. */
const smallestHash = 1n << 128n

/**
 * The mapping keys that a transaction used: hashes of 64 bytes (key and base slot) that are the slot of a read or
 * write, or lie shortly before one. For nested mappings, the outer key is found through the base of the inner one.
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

/** The hash that equals the slot, or precedes it by less than a struct. */
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
