import type { Word } from '@understudy/evm'
import { wordFromBigint } from '../../shared/hex.ts'
import { fixedLength, type StorageLayout, type StorageType, type StorageVariable } from './layout.ts'
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

/** A variable, or a part of one, that is in a slot. */
export type SlotPart = {
  path: string
  /** The state variable, and its type. */
  variable: StorageVariable
  /** The keys, indexes and members that lead to the part, in their order. */
  keys: readonly string[]
  /** Of the part; for the length of a dynamic array and the data of a text, that of the array or the text. */
  type: StorageType
  /** Where it is in the slot, in bytes from its low end; `undefined` if it takes more than the slot or is a length. */
  offset: number | undefined
  /** A slot of the data of a long text. */
  isData?: boolean
}

/**
 * The paths of the variables in each of these slots: several share a packed one. A slot has none if the layout does not
 * describe it, or if no transaction used its mapping key. Reads no values.
 */
export async function findSlotPaths(
  layout: StorageLayout,
  slots: readonly Word[],
  loadKeys: StorageSource['loadKeys'],
): Promise<Map<Word, string[]>> {
  const parts = await findSlotParts(layout, slots, loadKeys)
  return new Map([...parts].map(([slot, found]) => [slot, found.map(({ path }) => path)]))
}

/** The same with what is known of the variables. */
export async function findSlotParts(
  layout: StorageLayout,
  slots: readonly Word[],
  loadKeys: StorageSource['loadKeys'],
): Promise<Map<Word, SlotPart[]>> {
  const wanted = new Set(slots.map((slot) => BigInt(slot)))
  const found = new Map<Word, SlotPart[]>()
  let left = visitLimit

  function add(slot: bigint, part: SlotPart): void {
    const word = wordFromBigint(slot)
    if (wanted.has(slot)) found.set(word, [...(found.get(word) ?? []), part])
  }

  const wantedWithin = (first: bigint, span: bigint) =>
    [...wanted].filter((slot) => slot >= first && slot - first < span)

  const within = (part: Part, path: string, key: string, offset = 0): Part => {
    return { ...part, path: part.path + path, keys: [...part.keys, key], offset }
  }

  async function visit(part: Part, typeId: string, slot: bigint, depth = 0): Promise<void> {
    const type = layout.types.get(typeId)
    if (!type || depth > depthLimit || left-- <= 0) return
    if (type.encoding === 'mapping') return visitKeys(part, type, slot, depth + 1)
    if (type.encoding === 'bytes') {
      add(slot, { ...part, type, offset: undefined })
      for (const data of wantedWithin(dataSlot(slot), dataSpan)) {
        add(data, { ...part, type, offset: undefined, isData: true })
      }
      return
    }
    if (type.encoding === 'dynamic_array') {
      add(slot, { ...within(part, '.length', 'length'), type, offset: undefined })
      return visitElements(part, type, { first: dataSlot(slot), span: dataSpan }, depth + 1)
    }
    if (fixedLength(type) !== undefined)
      return visitElements(part, type, { first: slot, span: BigInt(Math.ceil(type.numberOfBytes / 32)) }, depth + 1)
    if (!type.members) return add(slot, { ...part, type })
    for (const { label, offset, ...member } of type.members)
      await visit(within(part, `.${label}`, label, offset), member.type, slot + member.slot, depth + 1)
  }

  async function visitKeys(part: Part, { key, value = '' }: StorageType, slot: bigint, depth: number): Promise<void> {
    const keyType = layout.types.get(key ?? '')
    if (!keyType) return
    for (const word of await loadKeys(wordFromBigint(slot), { limit: keyLimit, after: undefined })) {
      const text = formatKey(keyType.label, keyType.numberOfBytes, word)
      const parsed = parseKey(keyType.label, keyType.numberOfBytes, text)
      const inner = within(part, formatIndex(keyType.label, text), text)
      if (parsed) await visit(inner, value, mappedSlot(slot, parsed), depth)
    }
  }

  /** Visits the elements in the wanted slots alone: an array may have billions. */
  async function visitElements(
    part: Part,
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
    for (const index of indexes) {
      const inner = within(part, `[${index}]`, String(index), Number(index % perSlot) * size)
      await visit(inner, base, first + (index / perSlot) * slotsEach, depth)
    }
  }

  for (const variable of layout.variables) {
    const { label, type, slot, offset } = variable
    await visit({ path: label, variable, keys: [], offset }, type, slot)
  }
  return found
}

type Part = Omit<SlotPart, 'type'>
