import type { Statement } from './sqliteFile.ts'

const tags = { null: 0, number: 1, text: 2, blob: 3 }
/** Of a tag and a length or a number. */
const largestHead = 9

/**
 * Appends a statement to a buffer. Returns where the next one starts, or `undefined` if the buffer is full.
 * Every text and blob is its length and its bytes.
 */
export function writeStatement(buffer: Buffer, start: number, { sql, parameters }: Statement): number | undefined {
  let at = start
  const hasRoom = (length: number) => at + length <= buffer.length
  const writeText = (text: string) => {
    const length = Buffer.byteLength(text)
    if (!hasRoom(largestHead + length)) return false
    at = buffer.writeUInt32LE(length, at)
    at += buffer.write(text, at)
    return true
  }
  if (!writeText(sql) || !hasRoom(largestHead)) return undefined
  at = buffer.writeUInt32LE(parameters.length, at)
  for (const value of parameters) {
    if (!hasRoom(largestHead)) return undefined
    if (value === null || value === undefined) buffer[at++] = tags.null
    else if (typeof value === 'number') {
      buffer[at++] = tags.number
      at = buffer.writeDoubleLE(value, at)
    } else if (typeof value === 'string') {
      buffer[at++] = tags.text
      if (!writeText(value)) return undefined
    } else if (value instanceof Uint8Array) {
      buffer[at++] = tags.blob
      if (!hasRoom(largestHead + value.length)) return undefined
      at = buffer.writeUInt32LE(value.length, at)
      buffer.set(value, at)
      at += value.length
    } else throw new Error('only numbers, texts and blobs are stored')
  }
  return at
}

/** The statements of a record, in order. */
export function* readStatements(record: Buffer): Generator<Statement> {
  let at = 0
  const readBytes = () => {
    const length = record.readUInt32LE(at)
    at += 4 + length
    return record.subarray(at - length, at)
  }
  const readValue = () => {
    const tag = record[at++]
    if (tag === tags.null) return null
    if (tag === tags.text) return readBytes().toString()
    if (tag === tags.blob) return readBytes()
    at += 8
    return record.readDoubleLE(at - 8)
  }
  while (at < record.length) {
    const sql = readBytes().toString()
    const count = record.readUInt32LE(at)
    at += 4
    yield { sql, parameters: Array.from({ length: count }, readValue) }
  }
}
