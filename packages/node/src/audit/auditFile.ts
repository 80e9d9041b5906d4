import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import { createMutex } from '../shared/mutex.ts'
import type { AuditRecord } from '../storage/records/auditEntries.ts'
import { type ChainEnd, hashOfLine, linkEntry, noEntry, readLink } from './auditChain.ts'

/** A file to which entries are only added: JSON, one a line, each with the hash of the line before. */
export type AuditFile = {
  /** Resolves when the record is on the disk. Throws `AUDIT_FILE_FAILED`; the record is written before the next one then. */
  append(record: AuditRecord): Promise<void>
  /** Throws `AUDIT_FILE_FAILED` while what was appended cannot be written. */
  requireWritable(): Promise<void>
  close(): Promise<void>
}

/** How much of the end of a file is read to find its last line, in bytes. */
const tailSize = 256 * 1024

/** Opens a file, for its owner alone, and continues its chain. Throws `AUDIT_FILE_UNUSABLE`. */
export async function openAuditFile(file: string, { logger }: { logger: Logger }): Promise<AuditFile> {
  let handle: FileHandle | undefined
  try {
    handle = await open(file, 'a+', 0o600)
    await handle.chmod(0o600)
    const { end, size, torn } = await readEnd(handle, file)
    if (torn > 0) {
      logger.warn(
        { file, bytes: torn },
        'Took a line that was cut short off the audit file: nobody was answered after it',
      )
      await handle.truncate(size)
    }
    await handle.sync()
    await syncDirectory(dirname(file))
    return createAuditFile({ file, handle, end, size })
  } catch (error) {
    await handle?.close()
    throw isNetworkError(error) ? error : unusable(file, messageOf(error), error)
  }
}

type Opened = { file: string; handle: FileHandle; end: ChainEnd; size: number }

function createAuditFile({ file, handle, ...opened }: Opened): AuditFile {
  const mutex = createMutex()
  let { end, size } = opened
  let waiting: string[] = []
  /** A write failed, and may have left a part. */
  let isTorn = false

  /** Writes everything that waits, in one piece. */
  async function write(): Promise<void> {
    if (waiting.length === 0) return
    const count = waiting.length
    const bytes = Buffer.from(waiting.join(''))
    try {
      if (isTorn) await handle.truncate(size)
      if ((await handle.stat()).size !== size) throw new Error('something else wrote to it')
      isTorn = true
      await handle.appendFile(bytes)
      await handle.datasync()
      isTorn = false
    } catch (cause) {
      throw new NetworkError('AUDIT_FILE_FAILED', { file, problem: messageOf(cause) }, { cause })
    }
    size += bytes.length
    waiting = waiting.slice(count)
  }

  return {
    append(record) {
      const linked = linkEntry(record, end)
      end = linked.end
      waiting.push(`${linked.line}\n`)
      return mutex.run(write)
    },
    requireWritable: async () => {
      if (waiting.length > 0) await mutex.run(write)
    },
    close: () => mutex.run(() => handle.close()),
  }
}

/** Where the chain of a file ends, and how many bytes follow that are not a whole line. */
async function readEnd(handle: FileHandle, file: string): Promise<{ end: ChainEnd; size: number; torn: number }> {
  const { size: total } = await handle.stat()
  const start = Math.max(0, total - tailSize)
  const tail = Buffer.alloc(total - start)
  await handle.read(tail, 0, tail.length, start)
  const after = tail.lastIndexOf('\n') + 1
  const torn = tail.length - after
  // What was cut short begins like a line; anything else is a file of something else.
  if (torn > 0 && !'{"n":'.startsWith(tail.subarray(after, after + 5).toString()))
    throw unusable(file, 'it is no audit file')
  if (after === 0) return { end: noEntry, size: 0, torn }
  const before = tail.subarray(0, after - 1).lastIndexOf('\n') + 1
  const line = tail.subarray(before, after - 1)
  const link = readLink(line)
  if (!link) throw unusable(file, 'it is no audit file')
  return { end: { count: link.n, hash: hashOfLine(line) }, size: start + after, torn }
}

/** A new file is there after a power cut only when its directory is on the disk. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  await handle.sync().finally(() => handle.close())
}

function unusable(file: string, problem: string, cause?: unknown): NetworkError {
  return new NetworkError('AUDIT_FILE_UNUSABLE', { file, problem }, { cause })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
