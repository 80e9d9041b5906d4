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
