import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { NetworkError } from '../shared/errors.ts'
import type { AuditRecord } from '../storage/records/auditEntries.ts'

/** The end of a hash chain: the number of entries, and the hash of the last one. */
export type ChainEnd = { count: number; hash: string }

/** The previous hash of the first line. */
export const noEntry: ChainEnd = { count: 0, hash: '0'.repeat(64) }

/**
 * The line of a record, without a line break, and the chain with it appended. A line contains the hash of the previous
 * line.
 */
export function linkEntry(record: AuditRecord, { count, hash }: ChainEnd): { line: string; end: ChainEnd } {
  const { at, key = null, method, params, error = null } = record
  const [n, time] = [count + 1, new Date(at).toISOString()]
  const line = JSON.stringify({ n, at: time, key, method, params: JSON.parse(params), error, previous: hash })
  return { line, end: { count: n, hash: hashOfLine(line) } }
}

export function hashOfLine(line: string | Buffer): string {
  return createHash('sha256').update(line).digest('hex')
}

/** The number and hash of a line; `undefined` if it is not a line of an audit file. */
export function readLink(line: Buffer): { n: number; previous: string } | undefined {
  try {
    const { n, previous } = JSON.parse(line.toString()) as { n?: unknown; previous?: unknown }
    if (Number.isSafeInteger(n) && /^[\da-f]{64}$/.test(String(previous)))
      return { n: n as number, previous: String(previous) }
  } catch {}
  return undefined
}

/**
 * Checks that no line of an audit file was changed, removed or inserted. A chain does not reveal truncation: pass a
 * hash that was recorded earlier as `contains`. Throws `AUDIT_FILE_MODIFIED`.
 */
export async function verifyAuditFile(file: string, contains: string | undefined): Promise<ChainEnd> {
  let end = noEntry
  let isFound = contains === undefined
  for await (const line of linesOf(file)) {
    const broken = (problem: string) => new NetworkError('AUDIT_FILE_MODIFIED', { file, line: end.count + 1, problem })
    const link = readLink(line)
    if (!link) throw broken('it is not an entry')
    if (link.n !== end.count + 1) throw broken(`it has the number ${link.n}`)
    if (link.previous !== end.hash) throw broken('it does not follow the line before it')
    end = { count: link.n, hash: hashOfLine(line) }
    if (end.hash === contains) isFound = true
  }
  if (!isFound)
    throw new NetworkError('AUDIT_FILE_MODIFIED', {
      file,
      line: end.count + 1,
      problem: `no line has the hash ${contains}`,
    })
  return end
}

const lineBreak = 0x0a
/** Lines are shorter than this, because parameters are shortened. */
const longestLine = 1024 * 1024

async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let at = rest.indexOf(lineBreak); at >= 0; at = rest.indexOf(lineBreak)) {
      yield rest.subarray(0, at)
      rest = rest.subarray(at + 1)
    }
    if (rest.length > longestLine) break
  }
  if (rest.length > 0) yield rest
}
