import type { CallBytes } from '../../shared/budget/messageBytes.ts'
import { NetworkError } from '../../shared/errors.ts'

/**
 * The JSON of a result. Its size is checked before and after encoding. Throws `ANSWER_TOO_LARGE` or
 * `TOO_MUCH_IN_FLIGHT`.
 */
export function encodeResult(result: unknown, bytes: CallBytes): string {
  bytes.expect(leastJsonBytes(result, bytes.left + 1))
  if (isLongHex(result)) {
    bytes.count(result.length + 2)
    return `"${result}"`
  }
  const json = stringify(result, bytes)
  bytes.count(Buffer.byteLength(json))
  return json
}

/** Whether it is hex that would take milliseconds to escape, of which nothing is escaped. */
function isLongHex(result: unknown): result is string {
  return typeof result === 'string' && result.length > 100_000 && /^0x[\da-f]*$/.test(result)
}

/** Escapes can make a string longer than JavaScript's maximum. */
function stringify(result: unknown, { left }: CallBytes): string {
  try {
    return JSON.stringify(result) ?? 'null'
  } catch (cause) {
    if (cause instanceof RangeError) throw new NetworkError('ANSWER_TOO_LARGE', { limit: left }, { cause })
    throw cause
  }
}

/**
 * A lower bound for the length of a value's JSON: ignores escapes and multi-byte characters. Stops counting at
 * `enough`.
 */
export function leastJsonBytes(value: unknown, enough: number): number {
  switch (typeof value) {
    case 'string':
      return value.length + 2
    case 'object': {
      if (value === null) return 4
      let bytes = 1
      if (Array.isArray(value)) {
        for (const item of value) {
          bytes += 1 + leastJsonBytes(item, enough - bytes)
          if (bytes >= enough) break
        }
        return Math.max(2, bytes)
      }
      for (const key in value) {
        const field = (value as Record<string, unknown>)[key]
        if (field === undefined) continue
        bytes += key.length + 4 + leastJsonBytes(field, enough - bytes)
        if (bytes >= enough) break
      }
      return Math.max(2, bytes)
    }
    default:
      return 1
  }
}
