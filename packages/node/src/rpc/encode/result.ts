import type { FromUpstream, Local } from '../../chain/origins.ts'
import type { CallBytes } from '../../shared/budget/messageBytes.ts'
import { NetworkError } from '../../shared/errors.ts'
import { JsonText, LongText } from '../../shared/json/jsonText.ts'
import { leastJsonBytes } from '../../shared/json/leastJsonBytes.ts'
import { pacedText } from '../../shared/json/pacedText.ts'

/**
 * The JSON of a result. Its size is checked before and after encoding. Throws `ANSWER_TOO_LARGE` or
 * `IN_FLIGHT_LIMIT_EXCEEDED`.
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
  if (isShort(result)) {
    const json = JSON.stringify(result)
    bytes.count(json.length)
    return json
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

/** From here on, an answer is written in slices, in bytes: each megabyte takes some ten milliseconds. */
const largeResult = 500_000

/** Whether writing a result at once would keep others waiting. */
export function isLarge(result: unknown): boolean {
  if (typeof result !== 'object' || result instanceof LongText || result instanceof JsonText) return false
  return leastJsonBytes(result, largeResult) >= largeResult
}

/** The JSON of a large result, made in slices. Its size is checked while it is written. Throws as `encodeResult` does. */
export async function encodeLarge(result: unknown, bytes: CallBytes): Promise<LongText> {
  const text = await pacedText(result, (length) => bytes.expect(length))
  bytes.count(text.parts.reduce((total, part) => total + Buffer.byteLength(part), 0))
  return text
}

/** What needs no check before it is written, in characters. */
const shortText = 1000

/** Whether it is encoded in less time than it takes to wait for a turn. */
export const isShort = (result: unknown): result is string => typeof result === 'string' && result.length < shortText

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

/** Encodes local values; upstream's values pass through unchanged. */
export function encodeEither<Value>(
  found: Local<Value> | FromUpstream,
  encode: (value: Value) => Record<string, unknown>,
): Record<string, unknown> {
  return found.origin === 'local' ? encode(found.value) : found.value
}

/** Like `encodeEither`; `null` if there is no value. */
export function encodeFound<Value>(
  found: Local<Value> | FromUpstream | undefined,
  encode: (value: Value) => Record<string, unknown>,
): Record<string, unknown> | null {
  return found ? encodeEither(found, encode) : null
}
