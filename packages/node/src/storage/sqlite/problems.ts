import { statfsSync } from 'node:fs'
import { NetworkError } from '../../shared/errors.ts'

/** Error codes of SQLite and of the file system for disk problems, with descriptions. */
const troubles: Record<string, string> = {
  SQLITE_FULL: 'the disk is full',
  SQLITE_READONLY: 'it is read-only',
  SQLITE_IOERR: 'the disk could not be read or written',
  SQLITE_CANTOPEN: 'its files could not be opened',
  ENOSPC: 'the disk is full',
  EROFS: 'it is read-only',
  EIO: 'the disk could not be read or written',
}

/** Error codes for a file that is not a database, or has damaged pages. */
const damages = ['SQLITE_CORRUPT', 'SQLITE_NOTADB']

/** Converts a file error to one for the client; returns other errors unchanged. */
export function toNetworkError(error: unknown, directory: string): unknown {
  const code = codeOf(error)
  const trouble = Object.keys(troubles).find((known) => isOfCode(code, known))
  if (trouble) {
    // Only few calls report a full disk as such.
    const problem = (isFull(directory) ? troubles.SQLITE_FULL : troubles[trouble]) as string
    return new NetworkError('DATA_DIRECTORY_WRITE_FAILED', { directory, problem }, { cause: error })
  }
  if (damages.some((known) => isOfCode(code, known)))
    return new NetworkError('DATA_DIRECTORY_DAMAGED', { directory, problem: messageOf(error) }, { cause: error })
  return error
}

/** The reason why the file of a network cannot be opened, with advice. */
export function openingProblem(error: unknown, directory: string): unknown {
  if (isOfCode(codeOf(error), 'SQLITE_BUSY'))
    return new NetworkError('DATA_DIRECTORY_IN_USE', { directory }, { cause: error })
  const known = toNetworkError(error, directory)
  if (known instanceof NetworkError && known.kind !== 'DATA_DIRECTORY_WRITE_FAILED') return known
  const problem = known instanceof NetworkError ? String(known.details.problem) : messageOf(error)
  return new NetworkError('DATA_DIRECTORY_UNUSABLE', { directory, problem }, { cause: error })
}

function isFull(directory: string): boolean {
  try {
    return statfsSync(directory).bavail === 0
  } catch {
    return false
  }
}

/** Longer codes start with the shorter ones: `SQLITE_IOERR_WRITE`. */
const isOfCode = (code: string, known: string) => code === known || code.startsWith(`${known}_`)

function codeOf(error: unknown): string {
  // The driver has no code if it cannot open the file at all.
  if (/^ConnectionFailed\(.*: 14"\)$/.test(messageOf(error))) return 'SQLITE_CANTOPEN'
  return String((error as { code?: unknown } | undefined)?.code ?? '')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
