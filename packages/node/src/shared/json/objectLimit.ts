import { NetworkError } from '../errors.ts'

/**
 * For all requests of a message together: reading one takes up to 30 µs, during which no other client is served. Imports
 * are validated faster, and have as many as there are local variables in their sources.
 */
const limits = { request: 10_000, import: 500_000 }

/** Why the requests of a message have too many objects and lists to be read in a reasonable time; `undefined` if not. */
export function objectProblem(
  text: string,
  message: unknown,
  isImport: (method: unknown) => boolean,
): NetworkError | undefined {
  // Each takes two characters.
  if (text.length <= 2 * limits.request) return undefined
  const left = { ...limits }
  for (const request of Array.isArray(message) ? message : [message]) {
    const { method, params } = (request ?? {}) as { method?: unknown; params?: unknown }
    const kind = isImport(method) ? 'import' : 'request'
    left[kind] -= countObjects(params, left[kind])
    if (left[kind] < 0)
      return new NetworkError('LIMIT_EXCEEDED', { what: 'objects and lists in a request', limit: limits[kind] })
  }
  return undefined
}

/** How many a value has, itself left out; more than `limit` if there are more. */
function countObjects(value: unknown, limit: number): number {
  const open: unknown[] = [value]
  let count = 0
  for (let next = open.pop(); typeof next === 'object' && next !== null; next = open.pop())
    for (const inner of Object.values(next)) {
      if (typeof inner !== 'object' || inner === null) continue
      if (++count > limit) return count
      open.push(inner)
    }
  return count
}
