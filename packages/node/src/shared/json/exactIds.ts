import { endOfString } from './valueLimit.ts'

/** An id that a JavaScript number cannot hold, or would write in another way: its digits as they came. */
export class ExactId {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * Parses a request or a batch. Ids beyond 2^53, and with fractions or exponents, are `ExactId`: a client finds its request
 * by what it sent. Throws `SyntaxError`.
 */
export function parseMessage(body: string): unknown {
  const parsed: unknown = JSON.parse(body)
  const isBatch = Array.isArray(parsed)
  const items: readonly unknown[] = isBatch ? parsed : [parsed]
  if (!items.some(hasInexactId)) return parsed
  const texts = isBatch ? idsOfBatch(body) : [membersFrom(body, nextFrom(body, 0)).id]
  items.forEach((item, index) => {
    if (hasInexactId(item)) item.id = new ExactId(texts[index] as string)
  })
  return parsed
}

function hasInexactId(item: unknown): item is { id: unknown } {
  if (typeof item !== 'object' || item === null) return false
  const { id } = item as { id?: unknown }
  return typeof id === 'number' && !Number.isSafeInteger(id)
}

/** The texts of the ids in a batch, by position. The text is valid JSON. */
function idsOfBatch(text: string): (string | undefined)[] {
  const ids: (string | undefined)[] = []
  let at = nextFrom(text, nextFrom(text, 0) + 1)
  while (at < text.length && text[at] !== ']') {
    const { id, end } = text[at] === '{' ? membersFrom(text, at) : { id: undefined, end: endOfValue(text, at) }
    ids.push(id)
    at = nextFrom(text, end)
    if (text[at] === ',') at = nextFrom(text, at + 1)
  }
  return ids
}

/** The text of the last member `id` of the object at `start`, which is the one that counts, and where the object ends. */
function membersFrom(text: string, start: number): { id: string | undefined; end: number } {
  let id: string | undefined
  let at = nextFrom(text, start + 1)
  while (at < text.length && text[at] !== '}') {
    const endOfName = endOfString(text, at) + 1
    const value = nextFrom(text, nextFrom(text, endOfName) + 1)
    const end = endOfValue(text, value)
    if (isId(text.slice(at, endOfName))) id = text.slice(value, end)
    at = nextFrom(text, end)
    if (text[at] === ',') at = nextFrom(text, at + 1)
  }
  return { id, end: at + 1 }
}

/** Whether the name of a member is `id`, which may be written with escapes: `"\u0069d"`. */
const isId = (name: string) =>
  name === '"id"' || (name.length <= 14 && name.includes('\\') && JSON.parse(name) === 'id')

/** The position after a value. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at] as string
    if (character === '"') at = endOfString(text, at)
    else if (character === '{' || character === '[') depth++
    else if (depth > 0 && (character === '}' || character === ']')) depth--
    else if (depth === 0 && ',}] \t\n\r'.includes(character)) return at
    else continue
    if (depth === 0) return at + 1
  }
  return text.length
}

/** The next position that is not white space. */
function nextFrom(text: string, start: number): number {
  let at = start
  while (' \t\n\r'.includes(text[at] ?? 'x')) at++
  return at
}
