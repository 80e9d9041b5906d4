import { createPace } from '../yieldToEventLoop.ts'
import { LongText, partSize } from './jsonText.ts'
import { leastJsonBytes } from './leastJsonBytes.ts'

/** How long it may block other requests, in milliseconds. */
const sliceMs = 5

/**
 * The JSON of a large value, made in slices, so that other requests are answered between them. `expect` is told how long the
 * text is so far, and may throw.
 */
export async function pacedText(value: unknown, expect: (length: number) => void): Promise<LongText> {
  const pace = createPace(sliceMs)
  const parts: string[] = []
  let texts: string[] = []
  let size = 0
  let written = 0
  const add = (text: string) => {
    texts.push(text)
    size += text.length
    if (size < partSize) return
    written += size
    expect(written)
    parts.push(texts.join(''))
    texts = []
    size = 0
  }
  async function write(item: unknown): Promise<void> {
    await pace()
    if (typeof item !== 'object' || item === null || leastJsonBytes(item, partSize) < partSize) {
      add(JSON.stringify(item) ?? 'null')
    } else if (Array.isArray(item)) {
      for (const [index, element] of item.entries()) {
        add(index === 0 ? '[' : ',')
        await write(element)
      }
      add(']')
    } else {
      let start = '{'
      for (const [name, field] of Object.entries(item)) {
        if (field === undefined) continue
        add(`${start}${JSON.stringify(name)}:`)
        await write(field)
        start = ','
      }
      add('}')
    }
  }
  await write(value)
  if (texts.length > 0) parts.push(texts.join(''))
  return new LongText(parts)
}
