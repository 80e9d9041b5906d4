/** JSON that no value of JavaScript stands for, as it is written: `1e400`, `-0`, the same key twice. */
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
