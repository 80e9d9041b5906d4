import type { Word } from '@understudy/evm'
import { wordFromBigint } from '../../shared/hex.ts'
import { fixedLength, type StorageLayout, type StorageType } from './layout.ts'
import { type PathStep, parsePath } from './path.ts'
import { dataSlot, SlotReader, type SlotState, type StorageSource } from './slots.ts'
import {
  elementAt,
  itemOf,
  memberAt,
  type StorageItem,
  StorageQueryError,
  stepInto,
  typeOf,
  valueAt,
  variableAt,
  wrap,
} from './storageItem.ts'
import { fieldOf, formatKey, formatValue } from './valueType.ts'

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
    const items = this.#layout.variables.slice(start, end).map((variable) => itemOf(this.#layout, variable))
    const entries = await this.#show(items)
    return { entry: undefined, entries, next: end < this.#layout.variables.length ? String(end) : undefined }
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
      items.push(length === undefined ? memberAt(this.#layout, item, Number(at)) : elementAt(this.#layout, item, at))
    return { entries: await this.#show(items), next: end < count ? end.toString() : undefined }
  }

  async #keysOf(item: StorageItem, wanted: number, cursor: string): Promise<StoragePage> {
    if (cursor !== '' && !/^0x[\da-f]{64}$/.test(cursor))
      throw new StorageQueryError('the cursor does not belong to this mapping')
    const after = cursor === '' ? undefined : (cursor as Word)
    const keys = await this.#source.loadKeys(wordFromBigint(item.slot), { limit: wanted + 1, after })
    const shown = keys.slice(0, wanted)
    const keyType = typeOf(this.#layout, item.type.key ?? '')
    const items = shown.map((key) => valueAt(this.#layout, item, formatKey(keyType.label, keyType.numberOfBytes, key)))
    return { entries: await this.#show(items), next: keys.length > wanted ? (shown.at(-1) ?? '') : undefined }
  }

  #show(items: readonly StorageItem[]): Promise<StorageEntry[]> {
    return Promise.all(items.map((item) => this.#entryOf(item, innerLimit)))
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
    let item = variableAt(this.#layout, first?.text ?? '')
    for (const { kind, text } of rest) {
      const { type, path, slot } = item
      if (kind === 'index' && type.encoding !== 'mapping') {
        const length = type.encoding === 'dynamic_array' ? (await this.#reader.read(slot)).value : fixedLength(type)
        if (length !== undefined && (!/^\d{1,78}$/.test(text) || BigInt(text) >= length))
          throw new StorageQueryError(`${path} has ${length} elements, so there is no [${text}]`)
      }
      item = stepInto(this.#layout, item, { kind, text })
    }
    return { ...item, depth: 0 }
  }
}

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
