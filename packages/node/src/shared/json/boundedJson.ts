/** Maximum nesting depth of JSON from other systems: a trace has two levels for each of up to 1 024 calls. */
export const jsonDepthLimit = 4_096
/**
 * Maximum number of values in JSON from other systems: a few bytes can be a value, which takes ten times as many in
 * memory.
 */
export const jsonItemLimit = 4_000_000

/** An answer exceeds a limit; the message describes it. */
export class OversizedJsonError extends Error {
  override readonly name = 'OversizedJsonError'
}

const [quote, backslash, comma, openList, closeList, openObject, closeObject] = Buffer.from('"\\,[]{}')

/**
 * Throws `OversizedJsonError` if JSON is nested too deep or has too many values. Scans the bytes once, before parsing.
 */
export function requireBoundedJson(bytes: Uint8Array): void {
  let depth = 0
  let items = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      // Skip to the end of the string.
      for (at++; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++
    } else if (byte === comma) {
      items++
    } else if (byte === openList || byte === openObject) {
      items++
      if (++depth > jsonDepthLimit)
        throw new OversizedJsonError(`answered JSON nested more than ${jsonDepthLimit} deep`)
    } else if (byte === closeList || byte === closeObject) {
      depth--
    }
  }
  if (items > jsonItemLimit) throw new OversizedJsonError(`answered JSON with more than ${jsonItemLimit} values`)
}
