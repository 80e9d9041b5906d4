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

export function positionFrom(cursor: string | undefined): Position {
  if (cursor === undefined) return { skip: 0, cursor: undefined }
  const [, skip, inner] = /^(\d{1,6})(?::(.{1,500}))?$/s.exec(cursor) ?? []
  if (skip === undefined)
    throw new NetworkError('INVALID_PARAMS', { field: 'cursor', problem: 'expected the nextCursor of an answer' })
  return { skip: Number(skip), cursor: inner }
}

/** The JSON of an answer: as many items as fit, and `nextCursor` if there are more. */
export function pageOf({ fields, list }: Found, { skip, cursor }: Position): string {
  const shown = short(fields) as Record<string, unknown>
  if (!list) return cut(JSON.stringify(shown))
  const items: unknown[] = []
  // The cursor and the name of the list take the rest.
  let left = answerLimit - JSON.stringify(shown).length - list.name.length - 600
  for (const item of list.items.slice(skip)) {
    const text = JSON.stringify(short(item))
    left -= text.length + 1
    if (left < 0 && items.length > 0) break
    items.push(text.length > answerLimit / 2 ? `${text.slice(0, answerLimit / 2)}…` : JSON.parse(text))
  }
  const end = skip + items.length
  const nextCursor =
    end < list.items.length
      ? `${end}${cursor === undefined ? '' : `:${cursor}`}`
      : list.next
        ? `0:${list.next}`
        : undefined
  return cut(JSON.stringify({ ...shown, [list.name]: items, ...(nextCursor !== undefined && { nextCursor }) }))
}

const cut = (text: string) =>
  text.length <= answerLimit ? text : `${text.slice(0, answerLimit - 40)}… (the answer was cut)`

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
