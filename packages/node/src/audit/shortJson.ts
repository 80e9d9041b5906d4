import { maskUrl } from '../shared/urls.ts'

const longestText = 200
const mostItems = 20
const deepest = 4

/** Serializes a value as JSON of at most a few thousand characters, without secrets in URLs and in fields of this name. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(shorten(value, 0)) ?? 'null'
  return text.length <= 4000 ? text : JSON.stringify(`${text.slice(0, 3900)}…`)
}

function shorten(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return shortenText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === deepest) return Array.isArray(value) ? '[…]' : '{…}'
  if (Array.isArray(value)) {
    const items = value.slice(0, mostItems).map((item) => shorten(item, depth + 1))
    return value.length > mostItems ? [...items, `… (${value.length} items)`] : items
  }
  const entries = Object.entries(value)
  const shown = entries
    .slice(0, mostItems)
    .map(([key, item]) => [shortenText(key), key === 'secret' ? '***' : shorten(item, depth + 1)])
  return Object.fromEntries(entries.length > mostItems ? [...shown, ['…', `${entries.length} fields`]] : shown)
}

function shortenText(text: string): string {
  if (/^(https?|wss?):\/\//i.test(text)) return maskUrl(text).slice(0, longestText)
  return text.length <= longestText ? text : `${text.slice(0, longestText)}… (${text.length} characters)`
}
