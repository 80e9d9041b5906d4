/** From here on, joining texts takes longer than writing them one after the other. In characters. */
export const longText = 16_384
/** Larger texts get memory of their own from the operating system, which clears every page of it. In characters. */
const partSize = 32_768

/** A long JSON text in parts, which are sent one after the other: joined, it would be copied twice. */
export class LongText {
  readonly parts: readonly string[]
  /** In characters. */
  readonly length: number

  constructor(parts: readonly string[]) {
    this.parts = parts
    this.length = parts.reduce((total, part) => total + part.length, 0)
  }

  toString(): string {
    return this.parts.join('')
  }
}

/** A list as JSON; `undefined` when it is longer than `limit`. */
export function listText<Value>(values: readonly Value[], textOf: (value: Value) => string, limit: number) {
  const parts: string[] = []
  let texts: string[] = []
  let size = 0
  let left = limit
  for (const value of values) {
    const text = textOf(value)
    left -= text.length + 1
    if (left < 0) return undefined
    texts.push(text)
    size += text.length
    if (size < partSize) continue
    parts.push(`${parts.length === 0 ? '[' : ','}${texts.join()}`)
    texts = []
    size = 0
  }
  if (parts.length === 0) return `[${texts.join()}]`
  return new LongText([...parts, texts.length === 0 ? ']' : `,${texts.join()}]`])
}
