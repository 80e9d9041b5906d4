import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createMutex } from '../shared/async/mutex.ts'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import type { AuditRecord } from '../storage/records/auditEntries.ts'
import { type ChainEnd, hashOfLine, linkEntry, noEntry, readLink } from './auditChain.ts'

/** An append-only file of JSON lines, each with the hash of the previous line. */
export type AuditFile = {
  /**
   * Resolves when the record is on disk. Throws `AUDIT_FILE_UNWRITABLE`; the record is then written before the next one.
   */
  append(record: AuditRecord): Promise<void>
  /** Throws `AUDIT_FILE_UNWRITABLE` while appended records cannot be written. */
  requireWritable(): Promise<void>
  close(): Promise<void>
}

/** How many bytes at the end of a file are read to find its last line. */
const tailSize = 256 * 1024

/** Opens a file with mode 0600 and continues its chain. Throws `AUDIT_FILE_UNUSABLE`. */
export async function openAuditFile(file: string, { logger }: { logger: Logger }): Promise<AuditFile> {
  let handle: FileHandle | undefined
  try {
    handle = await open(file, 'a+', 0o600)
    await handle.chmod(0o600)
    const { end, size, torn } = await readEnd(handle, file)
    if (torn > 0) {
      logger.warn(
        { file, bytes: torn },
        'Removed an incomplete line from the audit file; no call was answered after it',
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
  /** A failed write may have left a partial line. */
  let isTorn = false

  /** Writes all queued lines at once. */
  async function write(): Promise<void> {
    if (waiting.length === 0) return
    const count = waiting.length
    const bytes = Buffer.from(waiting.join(''))
    try {
      if (isTorn) await handle.truncate(size)
      if ((await handle.stat()).size !== size) throw new Error('another process wrote to it')
      isTorn = true
      await handle.appendFile(bytes)
      await handle.datasync()
      isTorn = false
    } catch (cause) {
      throw new NetworkError('AUDIT_FILE_UNWRITABLE', { file, problem: messageOf(cause) }, { cause })
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

/** The end of a file's chain, and the number of bytes after its last complete line. */
async function readEnd(handle: FileHandle, file: string): Promise<{ end: ChainEnd; size: number; torn: number }> {
  const { size: total } = await handle.stat()
  const start = Math.max(0, total - tailSize)
  const tail = Buffer.alloc(total - start)
  await handle.read(tail, 0, tail.length, start)
  const after = tail.lastIndexOf('\n') + 1
  const torn = tail.length - after
  // An incomplete line starts like a line; otherwise the file is not an audit file.
  if (torn > 0 && !'{"n":'.startsWith(tail.subarray(after, after + 5).toString()))
    throw unusable(file, 'it is not an audit file')
  if (after === 0) return { end: noEntry, size: 0, torn }
  const before = tail.subarray(0, after - 1).lastIndexOf('\n') + 1
  const line = tail.subarray(before, after - 1)
  const link = readLink(line)
  if (!link) throw unusable(file, 'it is not an audit file')
  return { end: { count: link.n, hash: hashOfLine(line) }, size: start + after, torn }
}

/** After a power failure, a new file exists only if its directory was synced. */
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
