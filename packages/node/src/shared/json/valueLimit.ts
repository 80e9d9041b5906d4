import { NetworkError } from '../errors.ts'

/** What an object or a list counts: validating one takes up to 30 µs, during which no other client is served. */
const objectCost = 12
/** All values of a client's JSON together. Any other value takes up to 8 µs, if it is not what was expected. */
const limits = {
  'a request': 120_000,
  'a batch': 1_200_000,
  /** As many as there are local variables in the sources; its lists are not read if they are too long. */
  'an import': 12_000_000,
  /** What an agent writes. Its name of a parameter that there is not takes 5 µs. */
  'a message to a tool': 12_000,
}

export type Limited = keyof typeof limits

const tooMany = (of: Limited) =>
  new NetworkError('LIMIT_EXCEEDED', {
    what: `values in ${of}, where objects and lists count as ${objectCost}`,
    limit: limits[of],
  })

/** Throws `LIMIT_EXCEEDED` if a client's JSON has too many values to be read in a reasonable time. */
export function requireFewValues(json: unknown, of: Limited): void {
  const limit = limits[of]
  let cost = 0
  const open = [json]
  for (let next = open.pop(); typeof next === 'object' && next !== null; next = open.pop())
    for (const value of Array.isArray(next) ? next : Object.values(next)) {
      const isObject = typeof value === 'object' && value !== null
      cost += isObject ? objectCost : 1
      if (cost > limit) throw tooMany(of)
      if (isObject) open.push(value)
    }
}

/** What a message counts without the values of its parameters. */
const envelopeCost = 2 * objectCost + 3

/** Whether a text is long enough for more values than a request may have: the shortest object has two characters. */
export const mayHaveManyValues = (text: string): boolean => (text.length / 2) * objectCost > limits['a request']

/**
 * The same before JSON is parsed, which takes up to 0.6 µs for each list: one message of 5 MB would stop all clients for a
 * second. Never counts more than `requireFewValues`, and at most a tenth less.
 */
export function requireFewValuesIn(text: string, of: Limited): void {
  const limit = limits[of] + envelopeCost
  let cost = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === ',') cost++
    // Most objects follow a comma, which counted one already.
    else if (character === '[' || character === '{') cost += objectCost - 1
    if (cost > limit) throw tooMany(of)
  }
}

/** Where the quote is that ends the string that begins at `start`. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end
    while (text[first - 1] === '\\') first--
    if ((end - first) % 2 === 0) return end
  }
  return text.length
}

/** Maximum nesting depth of client input, so that recursive code does not overflow the stack. */
export const nestingLimit = 256

/** Whether a JSON value is nested deeper than `limit`. */
export function isNestedDeeper(value: unknown, limit = nestingLimit): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit === 0) return true
  for (const key in value) if (isNestedDeeper(value[key as never], limit - 1)) return true
  return false
}
