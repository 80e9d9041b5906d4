import type { Word } from '@understudy/evm'
import { wordFromBigint } from '../../shared/hex.ts'
import { fixedLength, type StorageLayout, type StorageType } from './layout.ts'
import { formatIndex } from './path.ts'
import { dataSlot, mappedSlot, type StorageSource } from './slots.ts'
import { formatKey, parseKey } from './valueType.ts'

/** Maximum number of keys of one mapping that are compared with the slots. */
const keyLimit = 200
/** Maximum number of variables, members, elements and keys that are visited. */
const visitLimit = 5000
/** Parts that are nested deeper have no name. */
const depthLimit = 64
/** Elements and bytes are looked for in as many slots. */
const dataSpan = 1n << 64n

/**
 * The paths of the variables in each of these slots: several share a packed one. A slot has none if the layout does not
 * describe it, or if no transaction used its mapping key. Reads no values.
 */
export async function findSlotPaths(
  layout: StorageLayout,
  slots: readonly Word[],
  loadKeys: StorageSource['loadKeys'],
): Promise<Map<Word, string[]>> {
  const wanted = slots.map((slot) => BigInt(slot))
  const found = new Map<Word, string[]>()
  let left = visitLimit

  function add(slot: bigint, path: string): void {
    const word = wordFromBigint(slot)
    if (wanted.includes(slot)) found.set(word, [...(found.get(word) ?? []), path])
  }

  const wantedWithin = (first: bigint, span: bigint) => wanted.filter((slot) => slot >= first && slot - first < span)

  async function visit(path: string, typeId: string, slot: bigint, depth = 0): Promise<void> {
    const type = layout.types.get(typeId)
    if (!type || depth > depthLimit || left-- <= 0) return
    if (type.encoding === 'mapping') return visitKeys(path, type, slot, depth + 1)
    if (type.encoding === 'bytes') {
      add(slot, path)
      for (const part of wantedWithin(dataSlot(slot), dataSpan)) add(part, path)
      return
    }
    if (type.encoding === 'dynamic_array') {
      add(slot, `${path}.length`)
      return visitElements(path, type, { first: dataSlot(slot), span: dataSpan }, depth + 1)
    }
    if (fixedLength(type) !== undefined)
      return visitElements(path, type, { first: slot, span: BigInt(Math.ceil(type.numberOfBytes / 32)) }, depth + 1)
    if (!type.members) return add(slot, path)
    for (const member of type.members)
      await visit(`${path}.${member.label}`, member.type, slot + member.slot, depth + 1)
  }

  async function visitKeys(path: string, { key, value = '' }: StorageType, slot: bigint, depth: number): Promise<void> {
    const keyType = layout.types.get(key ?? '')
    if (!keyType) return
    for (const word of await loadKeys(wordFromBigint(slot), { limit: keyLimit, after: undefined })) {
      const text = formatKey(keyType.label, keyType.numberOfBytes, word)
      const parsed = parseKey(keyType.label, keyType.numberOfBytes, text)
      if (parsed) await visit(path + formatIndex(keyType.label, text), value, mappedSlot(slot, parsed), depth)
    }
  }

  /** Visits the elements in the wanted slots alone: an array may have billions. */
  async function visitElements(
    path: string,
    { base = '' }: StorageType,
    { first, span }: { first: bigint; span: bigint },
    depth: number,
  ): Promise<void> {
    const size = layout.types.get(base)?.numberOfBytes ?? 32
    const perSlot = size > 16 ? 1n : BigInt(Math.floor(32 / size))
    const slotsEach = BigInt(Math.ceil(size / 32))
    const indexes = new Set<bigint>()
    for (const slot of wantedWithin(first, span)) {
      const at = (slot - first) / slotsEach
      for (let part = 0n; part < perSlot; part++) indexes.add(at * perSlot + part)
    }
    for (const index of indexes) await visit(`${path}[${index}]`, base, first + (index / perSlot) * slotsEach, depth)
  }

  for (const { label, type, slot } of layout.variables) await visit(label, type, slot)
  return found
}
