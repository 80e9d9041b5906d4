import { NetworkError } from '../../../shared/errors.ts'

/** Throws `NOT_FOUND` for what is not known. */
export function requireKnown<Value>(resource: string, id: string | undefined, value: Value | undefined): Value {
  if (value === undefined) throw new NetworkError('NOT_FOUND', { resource, id: id ?? '' })
  return value
}
