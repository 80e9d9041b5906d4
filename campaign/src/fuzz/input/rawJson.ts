/** JSON that no JavaScript value is written as: `1e400`, `-0`, duplicate keys. */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** As `JSON.stringify`, with raw JSON in it. */
export function write(value: unknown): string {
  if (value instanceof RawJson) return value.text
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}:${write(item)}`)
    .join(',')}}`
}
