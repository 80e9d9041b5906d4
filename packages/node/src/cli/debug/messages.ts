import { NetworkError } from '../../shared/errors.ts'

/** Longest message that is read, in bytes: requests are short. */
const messageLimit = 4 * 1024 * 1024
const headerLimit = 4096
const headerEnd = '\r\n\r\n'

/**
 * Reads the messages of the Debug Adapter Protocol: each is a header with its length in bytes, an empty line, and JSON.
 * Throws `INVALID_PARAMS` on anything else: where the next message begins is then unknown.
 */
export async function* readMessages(input: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  let buffered: Buffer = Buffer.alloc(0)
  let length: number | undefined
  for await (const chunk of input) {
    buffered = Buffer.concat([buffered, chunk])
    for (;;) {
      if (length === undefined) {
        const end = buffered.indexOf(headerEnd)
        if (end < 0 && buffered.length <= headerLimit) break
        length = lengthFrom(buffered.toString('latin1', 0, Math.max(end, 0)))
        buffered = buffered.subarray(end + headerEnd.length)
      }
      if (buffered.length < length) break
      const text = buffered.toString('utf8', 0, length)
      buffered = buffered.subarray(length)
      length = undefined
      yield parsed(text)
    }
  }
}

function lengthFrom(header: string): number {
  const length = Number(/^content-length: *(\d{1,10}) *$/im.exec(header)?.[1] ?? Number.NaN)
  if (!(length <= messageLimit))
    throw unreadable(
      `expected a message of the Debug Adapter Protocol with a Content-Length of at most ${messageLimit}`,
      header,
    )
  return length
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable('expected JSON', text)
  }
}

const unreadable = (expected: string, got: string) =>
  new NetworkError('INVALID_PARAMS', { field: 'standard input', problem: `${expected}, got "${got.slice(0, 100)}"` })

/** A message as it is sent. */
export function messageText(message: object): string {
  const text = JSON.stringify(message)
  return `Content-Length: ${Buffer.byteLength(text)}${headerEnd}${text}`
}
