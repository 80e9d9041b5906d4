import { NetworkError } from '../shared/errors.ts'

/** Reading one takes up to 30 µs, during which nobody else is served. */
const objectLimit = 10_000
/** Imports are validated faster, and have as many as there are local variables in their sources. */
const importObjectLimit = 500_000

/** Throws `LIMIT_EXCEEDED` if the requests of a message have too many objects and lists to be read in a reasonable time. */
export function requireFewObjects(message: unknown, isImport: (method: unknown) => boolean): void {
  let left = objectLimit
  for (const request of Array.isArray(message) ? message : [message]) {
    const { method, params } = (request ?? {}) as { method?: unknown; params?: unknown }
    const limit = isImport(method) ? importObjectLimit : left
    const count = countObjects(params, limit)
    if (count > limit) throw new NetworkError('LIMIT_EXCEEDED', { what: 'objects and lists in a request', limit })
    if (limit === left) left -= count
  }
}

/** How many a value has, itself included, or one more than `limit`. */
function countObjects(value: unknown, limit: number): number {
  const open = [value]
  let count = 0
  while (open.length > 0 && count <= limit) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    count++
    for (const inner of Object.values(next)) if (typeof inner === 'object') open.push(inner)
  }
  return count
}
