import { NetworkError } from '../shared/errors.ts'
import { readableText } from '../shared/readableText.ts'

/** What a tool found: fields that each page repeats, and a list that may need several pages. */
export type Found = {
  fields: Record<string, unknown>
  list?: FoundList
}

export type FoundList = {
  name: string
  items: readonly unknown[]
  /** The cursor of the method for what comes after the items. */
  next?: string | null
}

/** Where a page begins: after `skip` items of what the method lists from its own cursor. */
export type Position = { skip: number; cursor: string | undefined }

/** The most characters of an answer. */
export const answerLimit = 12_000

/** What texts and lists inside of an answer are cut to. */
const limits = { text: 600, elements: 50, depth: 8 }
/** The most characters of the fields that each page repeats, and of one item of its list. */
const fieldsLimit = 7000
const itemLimit = 4000
/** For the cursor and the name of the list. */
const reserved = 800

export function positionFrom(cursor: string | undefined): Position {
  if (cursor === undefined) return { skip: 0, cursor: undefined }
  const [, skip, inner] = /^(\d{1,6})(?::(.{1,500}))?$/s.exec(cursor) ?? []
  if (skip === undefined)
    throw new NetworkError('INVALID_PARAMS', { field: 'cursor', problem: 'expected the nextCursor of an answer' })
  return { skip: Number(skip), cursor: inner }
}

/** The JSON of an answer: as many items as fit, and `nextCursor` if there are more. */
export function pageOf({ fields, list }: Found, { skip, cursor }: Position): string {
  const shown = fitted(fields)
  if (!list) return JSON.stringify(shown)
  const items: unknown[] = []
  let left = answerLimit - JSON.stringify(shown).length - reserved
  for (const item of list.items.slice(skip)) {
    const [value, length] = itemOf(item)
    left -= length + 1
    if (left < 0 && items.length > 0) break
    items.push(value)
  }
  const end = skip + items.length
  const here = cursor === undefined ? '' : `:${cursor}`
  const nextCursor = end < list.items.length ? `${end}${here}` : list.next ? `0:${list.next}` : undefined
  return JSON.stringify({ ...shown, [list.name]: items, ...(nextCursor !== undefined && { nextCursor }) })
}

/** An item, as a part of its JSON if that is too long, and the length of its JSON. */
function itemOf(item: unknown): [value: unknown, length: number] {
  const value = short(item)
  const text = JSON.stringify(value)
  if (text.length <= itemLimit) return [value, text.length]
  // Quotes in it are escaped again.
  const part = `${text.slice(0, itemLimit / 2 - 10)}…`
  return [part, JSON.stringify(part).length]
}

/** The fields, of which the longest ones are cut until all of them fit. */
function fitted(fields: Record<string, unknown>): Record<string, unknown> {
  const shown = short(fields) as Record<string, unknown>
  while (JSON.stringify(shown).length > fieldsLimit) {
    const lengths = Object.entries(shown).map(([key, value]) => [key, JSON.stringify(value).length] as const)
    const [longest = ''] = lengths.reduce((one, other) => (other[1] > one[1] ? other : one))
    const value = shown[longest]
    const isList = Array.isArray(value) && value.length > 3
    shown[longest] = isList ? [...value.slice(0, value.length / 2 - 1), '… more'] : '… (too long)'
  }
  return shown
}

/** The value with long texts and lists cut, and with what could hide in a text shown. */
function short(value: unknown, depth = 0): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string') return shortText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= limits.depth) return '…'
  if (Array.isArray(value)) {
    const more = value.length - limits.elements
    const shown = value.slice(0, limits.elements).map((each) => short(each, depth + 1))
    return more > 0 ? [...shown, `… ${more} more`] : shown
  }
  const entries = Object.entries(value).filter(([, each]) => each !== undefined && each !== null)
  return Object.fromEntries(
    entries.slice(0, limits.elements).map(([key, each]) => [shortText(key), short(each, depth + 1)]),
  )
}

function shortText(text: string): string {
  const shown = readableText(text.slice(0, limits.text))
  return text.length > limits.text ? `${shown}… (${text.length} characters)` : shown
}
