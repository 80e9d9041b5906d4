import type { CallBytes } from '../../shared/budget/messageBytes.ts'
import { NetworkError } from '../../shared/errors.ts'
import { JsonText } from '../../shared/json/jsonText.ts'
import { leastJsonBytes } from '../../shared/json/leastJsonBytes.ts'
import { LongText } from '../../shared/json/longText.ts'

/**
 * The JSON of a result. Its size is checked before and after encoding. Throws `ANSWER_TOO_LARGE` or
 * `TOO_MUCH_IN_FLIGHT`.
 */
export function encodeResult(result: unknown, bytes: CallBytes): string | LongText {
  if (result instanceof LongText) {
    bytes.count(result.length)
    return result
  }
  if (result instanceof JsonText) {
    bytes.count(result.bytes.length)
    return result.bytes.toString()
  }
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
