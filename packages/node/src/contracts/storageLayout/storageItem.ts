import { fixedLength, type StorageLayout, type StorageType, type StorageVariable } from './layout.ts'
import { formatIndex, type PathStep } from './path.ts'
import { dataSlot, mappedSlot } from './slots.ts'
import { parseKey } from './valueType.ts'

/** A variable, or a part of one, and where it is. `depth`: of how many others it is a part, below what was asked for. */
export type StorageItem = { path: string; name: string; type: StorageType; slot: bigint; offset: number; depth: number }

/** A problem with a query; the message is for people. */
export class StorageQueryError extends Error {}

export function typeOf(layout: StorageLayout, id: string): StorageType {
  const type = layout.types.get(id)
  if (!type) throw new StorageQueryError(`the layout does not describe the type ${id}`)
  return type
}

export const itemOf = (layout: StorageLayout, { label, slot, offset, type }: StorageVariable): StorageItem => ({
  path: label,
  name: label,
  type: typeOf(layout, type),
  slot,
  offset,
  depth: 0,
})

/** Throws `StorageQueryError` if there is none of this name. */
export function variableAt(layout: StorageLayout, name: string): StorageItem {
  const variable = layout.variables.find(({ label }) => label === name)
  if (!variable) throw new StorageQueryError(`there is no variable ${name}`)
  return itemOf(layout, variable)
}

export function memberAt(layout: StorageLayout, { path, type, slot, depth }: StorageItem, index: number): StorageItem {
  const member = type.members?.[index]
  if (!member) throw new StorageQueryError(`${path} has no such member`)
  const { label, offset } = member
  return {
    path: `${path}.${label}`,
    name: label,
    type: typeOf(layout, member.type),
    slot: wrap(slot + member.slot),
    offset,
    depth: depth + 1,
  }
}

/** Where an element of an array is, whatever the length of the array. */
export function elementAt(layout: StorageLayout, { path, type, slot, depth }: StorageItem, index: bigint): StorageItem {
  const element = typeOf(layout, type.base ?? '')
  const first = type.encoding === 'dynamic_array' ? dataSlot(slot) : slot
  const size = element.numberOfBytes
  const perSlot = size > 16 ? 1n : BigInt(Math.floor(32 / size))
  const slots = BigInt(Math.ceil(size / 32))
  const at = perSlot > 1n ? index / perSlot : index * slots
  const offset = perSlot > 1n ? Number(index % perSlot) * size : 0
  const name = `[${index}]`
  return { path: path + name, name, type: element, slot: wrap(first + at), offset, depth: depth + 1 }
}

/** The value of a mapping at a key. */
export function valueAt(layout: StorageLayout, { path, type, slot, depth }: StorageItem, text: string): StorageItem {
  const keyType = typeOf(layout, type.key ?? '')
  const key = parseKey(keyType.label, keyType.numberOfBytes, text)
  if (!key) throw new StorageQueryError(`${JSON.stringify(text)} is not a valid key of ${path} (${keyType.label})`)
  const name = formatIndex(keyType.label, text)
  const value = typeOf(layout, type.value ?? '')
  return { path: path + name, name, type: value, slot: mappedSlot(slot, key), offset: 0, depth: depth + 1 }
}

/** The part at a step of a path; of arrays of dynamic length, any element. Throws `StorageQueryError` if there is none. */
export function stepInto(layout: StorageLayout, item: StorageItem, { kind, text }: PathStep): StorageItem {
  const { type, path } = item
  if (kind === 'member') {
    const index = type.members?.findIndex((member) => member.label === text) ?? -1
    if (index < 0) throw new StorageQueryError(`${path} has no member ${text}`)
    return memberAt(layout, item, index)
  }
  if (type.encoding === 'mapping') return valueAt(layout, item, text)
  const length = fixedLength(type)
  if (length === undefined && type.encoding !== 'dynamic_array')
    throw new StorageQueryError(`${path} is neither an array nor a mapping`)
  if (!/^\d{1,78}$/.test(text) || (length !== undefined && BigInt(text) >= length))
    throw new StorageQueryError(`${path} has no element [${text}]`)
  return elementAt(layout, item, BigInt(text))
}

export const wrap = (slot: bigint) => BigInt.asUintN(256, slot)
