/** Bytes [start, start + length) of an input; what is past its end is zero. */
export function slice(input: Uint8Array, start: number, length: number): Uint8Array {
  const part = input.subarray(start, start + length)
  if (part.length === length) return part
  const padded = new Uint8Array(length)
  padded.set(part)
  return padded
}

export function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

export function concat(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** A boolean as a word. */
export function wordFromBoolean(value: boolean): Uint8Array {
  const word = new Uint8Array(32)
  if (value) word[31] = 1
  return word
}
