import { type ReachedCode, takenJump } from '@understudy/evm'
import { LRUCache } from 'lru-cache'
import type { ContractLibrary } from '../../contracts/contractLibrary.ts'

/** What has run of a code: one bit for each program counter. */
export type ReachedBits = {
  isCreation: boolean
  /** The first instructions of basic blocks. */
  blocks: Uint8Array
  /** JUMPI instructions that jumped. */
  jumps: Uint8Array
}

type Entry = ReachedBits & { code: Uint8Array }

/** Maximum bytes of codes and bits that are kept, and number of codes of no imported contract. */
const limits = { bytes: 64 * 1024 * 1024, unknown: 2000 }
/** Codes of imported contracts that need not be compared again: contracts differ in their immutables. */
const recognised = 10_000

export type ReachedCodes = {
  add(reached: ReachedCode): void
  /** What was reached of each version of imported contracts. Compares codes with what was imported since they ran. */
  ofVersions(yieldToEventLoop: () => Promise<void>): Promise<Map<string, ReachedBits[]>>
  /** `unknown`: codes of no imported contract. `dropped`: codes that did not fit. */
  counts(): { unknown: number; dropped: number }
}

/** Keeps what runs reach: together for all codes of a contract, and for the newest ones that are not of an imported contract. */
export function createReachedCodes({ library }: { library: Pick<ContractLibrary, 'versionOf'> }): ReachedCodes {
  /** By version and kind. */
  const known = new Map<string, Entry & { versionId: string }>()
  /** By hash and kind. */
  const unknown = new Map<string, Entry>()
  const keys = new LRUCache<string, string>({ max: recognised })
  let bytes = 0
  let dropped = 0

  const sizeOf = (entry: Entry) => entry.code.length + entry.blocks.length + entry.jumps.length
  const keyOf = (id: string, isCreation: boolean) => `${id}${isCreation ? ' creation' : ''}`

  function hasRoom(entry: Entry): boolean {
    for (const [oldest, { code }] of unknown) {
      if (bytes + sizeOf(entry) <= limits.bytes && unknown.size < limits.unknown) break
      forget(oldest)
      if (code !== entry.code) dropped++
    }
    return bytes + sizeOf(entry) <= limits.bytes
  }

  function forget(key: string): void {
    const entry = unknown.get(key)
    if (entry && unknown.delete(key)) bytes -= sizeOf(entry)
  }

  function entryOf({ hash, isCreation, code }: ReachedCode): Entry | undefined {
    const hashKey = keyOf(hash, isCreation)
    const before = known.get(keys.get(hashKey) ?? '') ?? unknown.get(hashKey)
    if (before) return before
    const copy = code()
    const size = (copy.length + 7) >> 3
    const entry = { isCreation, code: copy, blocks: new Uint8Array(size), jumps: new Uint8Array(size) }
    const versionId = library.versionOf(copy, isCreation)
    const key = keyOf(versionId ?? hash, isCreation)
    if (versionId !== undefined) keys.set(hashKey, key)
    const same = known.get(key)
    if (same) return same
    if (!hasRoom(entry)) {
      dropped++
      return undefined
    }
    bytes += sizeOf(entry)
    if (versionId === undefined) unknown.set(key, entry)
    else known.set(key, { ...entry, versionId })
    return known.get(key) ?? entry
  }

  /** Moves a code to the contract that it is recognised as now. */
  function recognise(key: string, entry: Entry, from: Map<string, Entry>): void {
    const versionId = library.versionOf(entry.code, entry.isCreation)
    if (versionId === undefined || keyOf(versionId, entry.isCreation) === key || from.get(key) !== entry) return
    from.delete(key)
    const same = known.get(keyOf(versionId, entry.isCreation))
    if (!same) {
      known.set(keyOf(versionId, entry.isCreation), { ...entry, versionId })
      return
    }
    bytes -= sizeOf(entry)
    merge(same.blocks, entry.blocks)
    merge(same.jumps, entry.jumps)
  }

  return {
    add(reached) {
      const entry = entryOf(reached)
      if (!entry) return
      for (const position of reached.positions) {
        if (position >= takenJump) setBit(entry.jumps, position - takenJump)
        else setBit(entry.blocks, position)
      }
    },

    async ofVersions(yieldToEventLoop) {
      for (const from of [unknown, known as Map<string, Entry>])
        for (const [key, entry] of [...from]) {
          await yieldToEventLoop()
          recognise(key, entry, from)
        }
      const found = new Map<string, ReachedBits[]>()
      for (const entry of known.values()) found.set(entry.versionId, [...(found.get(entry.versionId) ?? []), entry])
      return found
    },

    counts: () => ({ unknown: unknown.size, dropped }),
  }
}

/** Whether a bit is set. */
export function hasBit(bits: Uint8Array, at: number): boolean {
  return (((bits[at >> 3] ?? 0) >> (at & 7)) & 1) === 1
}

/** What is past the end, the arguments of a longer init code, is not kept. */
function setBit(bits: Uint8Array, at: number): void {
  const byte = bits[at >> 3]
  if (byte !== undefined) bits[at >> 3] = byte | (1 << (at & 7))
}

function merge(into: Uint8Array, from: Uint8Array): void {
  for (let at = 0; at < Math.min(into.length, from.length); at++) into[at] = (into[at] ?? 0) | (from[at] ?? 0)
}
