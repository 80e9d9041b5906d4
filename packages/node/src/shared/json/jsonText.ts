/** A value that is JSON already, in UTF-8: it is sent as it is. */
export class JsonText {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** A list of texts, each of which is one value. */
  static list(items: readonly Buffer[]): JsonText {
    const parts = items.flatMap((item, index) => [Buffer.from(index === 0 ? '[' : ','), item])
    return new JsonText(Buffer.concat([...parts, Buffer.from(items.length === 0 ? '[]' : ']')]))
  }
}

/** From here on, joining texts takes longer than writing them one after the other. In characters. */
export const longText = 16_384
/** Larger texts get memory of their own from the operating system, which clears every page of it. In characters. */
export const partSize = 32_768

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
    const [first = ''] = this.parts
    return this.parts.length === 1 ? first : this.parts.join('')
  }
}

/** A list as JSON. */
export function listText<Value>(values: readonly Value[], textOf: (value: Value) => string): LongText {
  const parts: string[] = []
  let texts: string[] = []
  let size = 0
  for (const value of values) {
    const text = textOf(value)
    texts.push(text)
    size += text.length
    if (size < partSize) continue
    parts.push(`${parts.length === 0 ? '[' : ','}${texts.join()}`)
    texts = []
    size = 0
  }
  if (parts.length === 0) return new LongText([`[${texts.join()}]`])
  return new LongText([...parts, texts.length === 0 ? ']' : `,${texts.join()}]`])
}
