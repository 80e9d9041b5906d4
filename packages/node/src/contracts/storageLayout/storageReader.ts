import type { Word } from '@understudy/evm'
import { wordFromBigint } from '../../shared/hex.ts'
import { fixedLength, type StorageLayout, type StorageType } from './layout.ts'
import { formatIndex, type PathStep, parsePath } from './path.ts'
import { dataSlot, mappedSlot, SlotReader, type SlotState, type StorageSource } from './slots.ts'
import { fieldOf, formatKey, formatValue, parseKey } from './valueType.ts'

/** A variable, or a part of one, with its current value. */
export type StorageEntry = {
  /** The path to read it alone. */
  path: string
  /** The last step of the path. */
  name: string
  /** In Solidity's notation. */
  type: string
  slot: Word
  /** Bytes from the low end of the slot. */
  offset: number
  bytes: number
  /** `undefined` for values with parts. Strings of more than 1024 bytes are truncated. */
  value: string | undefined
  origin: SlotState['origin']
  /** The live chain's value, if the local value differs. */
  upstreamValue: string | undefined
  /** Number of array elements, or bytes of a string. */
  length: bigint | undefined
  /** The transaction that last wrote its slot here, if that is known. */
  lastWriter?: Word | undefined
  parts: StoragePage | undefined
}

/** `next` is the cursor of the next page. */
export type StoragePage = { entries: StorageEntry[]; next: string | undefined }

export type StorageQuery = { path: string | undefined; limit: number; cursor: string | undefined }

/** Maximum number of nested parts; reading their path returns all. */
const innerLimit = 10
/** Maximum number of entries in one answer. */
const entryLimit = 2000
/** Parts that are nested deeper are read by their path. */
const depthLimit = 16
const textLimit = 1024n

/** `depth`: of how many others it is a part, below what was asked for. */
type StorageItem = { path: string; name: string; type: StorageType; slot: bigint; offset: number; depth: number }

/** A problem with a query; the message is for people. */
export class StorageQueryError extends Error {}

/**
 * Reads a page of a contract's variables, or of the parts of one. For mappings, lists the keys that transactions used;
 * any other key can be read by its path. Throws `StorageQueryError`.
 */
export function readStorage(
  layout: StorageLayout,
  source: StorageSource,
  query: StorageQuery,
): Promise<StoragePage & { entry: StorageEntry | undefined }> {
  const reader = new StorageReader(layout, source)
  return query.path === undefined ? reader.variables(query) : reader.parts(query.path, query)
}

type Page = Pick<StorageQuery, 'limit' | 'cursor'>

/** Reads for one answer, which has at most `entryLimit` entries. */
class StorageReader {
  readonly #layout: StorageLayout
  readonly #source: StorageSource
  readonly #reader: SlotReader
  #left = entryLimit

  constructor(layout: StorageLayout, source: StorageSource) {
    this.#layout = layout
    this.#source = source
    this.#reader = new SlotReader(source)
  }

  /** The variable or part at a path, and a page of its parts. */
  async parts(path: string, { limit, cursor }: Page): Promise<StoragePage & { entry: StorageEntry }> {
    const steps = parsePath(path)
    if (!steps || steps.length === 0) throw new StorageQueryError('is not a path such as users[3].name')
    const { parts, ...entry } = await this.#entryOf(await this.#itemAt(steps), limit, cursor)
    return { entry: { ...entry, parts: undefined }, entries: parts?.entries ?? [], next: parts?.next }
  }

  /** A page of all variables. */
  async variables({ limit, cursor }: Page): Promise<StoragePage & { entry: undefined }> {
    const start = Number(positionOf(cursor ?? ''))
    const end = start + limit
    const items = this.#layout.variables.slice(start, end).map(
      ({ label, slot, offset, type }): StorageItem => ({
        path: label,
        name: label,
        type: this.#typeOf(type),
        slot,
        offset,
        depth: 0,
      }),
    )
    const entries = await this.#show(items)
    return { entry: undefined, entries, next: end < this.#layout.variables.length ? String(end) : undefined }
  }

  #typeOf(id: string): StorageType {
    const type = this.#layout.types.get(id)
    if (!type) throw new StorageQueryError(`the layout does not describe the type ${id}`)
    return type
  }

  async #entryOf(item: StorageItem, limit: number, cursor?: string): Promise<StorageEntry> {
    this.#left -= 1
    const { type, slot, offset } = item
    const word = await this.#reader.read(slot)
    const entry: StorageEntry = {
      path: item.path,
      name: item.name,
      type: type.label.replace(/^(struct|enum|contract) /, ''),
      slot: wordFromBigint(slot),
      offset,
      bytes: type.numberOfBytes,
      value: undefined,
      origin: word.origin,
      upstreamValue: undefined,
      length: undefined,
      parts: undefined,
    }
    if (type.encoding === 'bytes') return { ...entry, ...(await this.#textOf(type, slot, word)) }
    const length = type.encoding === 'dynamic_array' ? word.value : fixedLength(type)
    if (type.members || length !== undefined || type.encoding === 'mapping')
      return { ...entry, length, parts: await this.#partsOf(item, length, limit, cursor) }
    const shown = (value: bigint) =>
      formatValue(type.label, type.numberOfBytes, fieldOf(value, offset, type.numberOfBytes))
    const value = shown(word.value)
    const upstreamValue = word.upstreamValue === undefined ? undefined : shown(word.upstreamValue)
    return { ...entry, value, upstreamValue: upstreamValue === value ? undefined : upstreamValue }
  }

  async #partsOf(item: StorageItem, length: bigint | undefined, limit: number, cursor = ''): Promise<StoragePage> {
    const wanted = item.depth < depthLimit ? Math.min(limit, Math.max(0, this.#left)) : 0
    if (item.type.encoding === 'mapping') return this.#keysOf(item, wanted, cursor)
    const start = positionOf(cursor)
    const count = length ?? BigInt(item.type.members?.length ?? 0)
    const end = start + BigInt(wanted) < count ? start + BigInt(wanted) : count
    const items: StorageItem[] = []
    for (let at = start; at < end; at++)
      items.push(length === undefined ? this.#memberAt(item, Number(at)) : this.#elementAt(item, at))
    return { entries: await this.#show(items), next: end < count ? end.toString() : undefined }
  }

  async #keysOf(item: StorageItem, wanted: number, cursor: string): Promise<StoragePage> {
    if (cursor !== '' && !/^0x[\da-f]{64}$/.test(cursor))
      throw new StorageQueryError('the cursor does not belong to this mapping')
    const after = cursor === '' ? undefined : (cursor as Word)
    const keys = await this.#source.loadKeys(wordFromBigint(item.slot), { limit: wanted + 1, after })
    const shown = keys.slice(0, wanted)
    const keyType = this.#typeOf(item.type.key ?? '')
    const items = shown.map((key) => this.#valueAt(item, formatKey(keyType.label, keyType.numberOfBytes, key)))
    return { entries: await this.#show(items), next: keys.length > wanted ? (shown.at(-1) ?? '') : undefined }
  }

  #show(items: readonly StorageItem[]): Promise<StorageEntry[]> {
    return Promise.all(items.map((item) => this.#entryOf(item, innerLimit)))
  }

  #memberAt({ path, type, slot, depth }: StorageItem, index: number): StorageItem {
    const member = type.members?.[index]
    if (!member) throw new StorageQueryError(`${path} has no such member`)
    const { label, offset } = member
    return {
      path: `${path}.${label}`,
      name: label,
      type: this.#typeOf(member.type),
      slot: wrap(slot + member.slot),
      offset,
      depth: depth + 1,
    }
  }

  #elementAt({ path, type, slot, depth }: StorageItem, index: bigint): StorageItem {
    const element = this.#typeOf(type.base ?? '')
    const first = type.encoding === 'dynamic_array' ? dataSlot(slot) : slot
    const size = element.numberOfBytes
    const perSlot = size > 16 ? 1n : BigInt(Math.floor(32 / size))
    const slots = BigInt(Math.ceil(size / 32))
    const at = perSlot > 1n ? index / perSlot : index * slots
    const offset = perSlot > 1n ? Number(index % perSlot) * size : 0
    const name = `[${index}]`
    return { path: path + name, name, type: element, slot: wrap(first + at), offset, depth: depth + 1 }
  }

  #valueAt({ path, type, slot, depth }: StorageItem, text: string): StorageItem {
    const keyType = this.#typeOf(type.key ?? '')
    const key = parseKey(keyType.label, keyType.numberOfBytes, text)
    if (!key) throw new StorageQueryError(`${JSON.stringify(text)} is not a valid key of ${path} (${keyType.label})`)
    const name = formatIndex(keyType.label, text)
    const value = this.#typeOf(type.value ?? '')
    return { path: path + name, name, type: value, slot: mappedSlot(slot, key), offset: 0, depth: depth + 1 }
  }

  async #textOf(type: StorageType, slot: bigint, word: SlotState) {
    const value = await loadText(type, slot, word.value, async (at) => (await this.#reader.read(at)).value)
    const { upstreamValue } = word
    const upstream =
      upstreamValue === undefined || upstreamValue === word.value
        ? undefined
        : await loadText(type, slot, upstreamValue, async (at) => {
            const state = await this.#reader.read(at)
            return state.upstreamValue ?? state.value
          })
    return { value: value.text, length: value.length, upstreamValue: upstream?.text }
  }

  async #itemAt([first, ...rest]: readonly PathStep[]): Promise<StorageItem> {
    const variable = this.#layout.variables.find(({ label }) => label === first?.text)
    if (!variable) throw new StorageQueryError(`there is no variable ${first?.text ?? ''}`)
    const { label, slot, offset } = variable
    let item: StorageItem = { path: label, name: label, type: this.#typeOf(variable.type), slot, offset, depth: 0 }
    for (const { kind, text } of rest) {
      const { type, path } = item
      if (kind === 'member') {
        const index = type.members?.findIndex((member) => member.label === text) ?? -1
        if (index < 0) throw new StorageQueryError(`${path} has no member ${text}`)
        item = this.#memberAt(item, index)
      } else if (type.encoding === 'mapping') item = this.#valueAt(item, text)
      else {
        const length =
          type.encoding === 'dynamic_array' ? (await this.#reader.read(item.slot)).value : fixedLength(type)
        if (length === undefined) throw new StorageQueryError(`${path} is neither an array nor a mapping`)
        if (!/^\d{1,78}$/.test(text) || BigInt(text) >= length)
          throw new StorageQueryError(`${path} has ${length} elements, so there is no [${text}]`)
        item = this.#elementAt(item, BigInt(text))
      }
    }
    return { ...item, depth: 0 }
  }
}

const wrap = (slot: bigint) => BigInt.asUintN(256, slot)

function positionOf(cursor: string): bigint {
  if (!/^\d{0,78}$/.test(cursor)) throw new StorageQueryError('the cursor does not belong to this list')
  return BigInt(cursor === '' ? 0 : cursor)
}

/**
 * A short string is in its slot, with twice its length in the low byte; for a longer one, the slot has twice the length
 * plus one.
 */
async function loadText(
  { label }: StorageType,
  slot: bigint,
  word: bigint,
  read: (slot: bigint) => Promise<bigint>,
): Promise<{ text: string; length: bigint }> {
  const isLong = (word & 1n) === 1n
  const length = isLong ? word >> 1n : (word & 0xffn) >> 1n
  // Not written by Solidity: shown unchanged.
  if (isLong ? length < 32n : length > 31n) return { text: wordFromBigint(word), length: 32n }
  const kept = length < textLimit ? length : textLimit
  const first = dataSlot(slot)
  const slots = Array.from({ length: isLong ? Math.ceil(Number(kept) / 32) : 0 }, (_, at) =>
    read(wrap(first + BigInt(at))),
  )
  const words = isLong ? await Promise.all(slots) : [word]
  const bytes = Buffer.from(words.map((each) => wordFromBigint(each).slice(2)).join(''), 'hex').subarray(
    0,
    Number(kept),
  )
  return { text: label === 'string' ? bytes.toString() : `0x${bytes.toString('hex')}`, length }
}
