/** How deep JSON from elsewhere may be nested: a trace has two levels for each of up to 1 024 calls. */
export const jsonDepthLimit = 4_096
/** The most values that JSON from elsewhere may hold: a few bytes can be a value, which takes ten times as many in memory. */
export const jsonItemLimit = 4_000_000

/** What was answered is larger than it may be; the message says what. */
export class OversizedJsonError extends Error {
  override readonly name = 'OversizedJsonError'
}

const [quote, backslash, comma, openList, closeList, openObject, closeObject] = Buffer.from('"\\,[]{}')

/** Throws `OversizedJsonError` when this JSON is nested too deep or holds too much. Looks at each byte once, before anything is made of them. */
export function requireBoundedJson(bytes: Uint8Array): void {
  let depth = 0
  let items = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      // To the end of the string.
      for (at++; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++
    } else if (byte === comma) {
      items++
    } else if (byte === openList || byte === openObject) {
      items++
      if (++depth > jsonDepthLimit) throw new OversizedJsonError(`answered JSON of more than ${jsonDepthLimit} levels`)
    } else if (byte === closeList || byte === closeObject) {
      depth--
    }
  }
  if (items > jsonItemLimit) throw new OversizedJsonError(`answered JSON of more than ${jsonItemLimit} values`)
}
