import { NetworkError } from '../errors.ts'

/** What an object or a list counts: validating one takes up to 30 µs, during which no other client is served. */
const objectCost = 12
/** All values of a client's JSON together. Any other value takes up to 8 µs, if it is not what was expected. */
const limits = {
  'a request': 120_000,
  /** As many as there are local variables in the sources; its lists are not read if they are too long. */
  'an import': 12_000_000,
  /** What an agent writes. Its name of a parameter that there is not takes 5 µs. */
  'a message to a tool': 12_000,
}

/** Throws `LIMIT_EXCEEDED` if a client's JSON has too many values to be read in a reasonable time. */
export function requireFewValues(json: unknown, of: keyof typeof limits): void {
  const limit = limits[of]
  const what = `values in ${of}, where objects and lists count as ${objectCost}`
  let cost = 0
  const open = [json]
  for (let next = open.pop(); typeof next === 'object' && next !== null; next = open.pop())
    for (const value of Array.isArray(next) ? next : Object.values(next)) {
      const isObject = typeof value === 'object' && value !== null
      cost += isObject ? objectCost : 1
      if (cost > limit) throw new NetworkError('LIMIT_EXCEEDED', { what, limit })
      if (isObject) open.push(value)
    }
}
