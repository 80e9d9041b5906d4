import pg from 'pg'
import { NetworkError } from '../../shared/errors.ts'
import { maskUrl } from '../../shared/urls.ts'

/** SQLSTATE classes that are not the statement's fault: connection, deadlock, resources, operator, system. */
const passing = /^(08|40|53|57|58)|^25006$/

/** Whether a connection is unusable after this error. */
export function isLost(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(08|57P)/.test(error.code ?? '')
}

/** Whether a transaction failed because another process raised the fence. */
export function isShutOut(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23502' && error.table === 'writer'
}

/** Converts a temporary database error to one for the client; returns other errors unchanged. */
export function toNetworkError(error: unknown): unknown {
  if (error instanceof NetworkError) return error
  if (!isLost(error) && !passing.test((error as pg.DatabaseError).code ?? '')) return error
  return new NetworkError('DATABASE_UNAVAILABLE', { problem: messageOf(error) }, { cause: error })
}

/** Advice by SQLSTATE if a network cannot be opened. */
const advice: Record<string, string> = {
  '28P01': 'Check the user and the password in --database-url',
  '28000': "Check the user in --database-url, and the server's pg_hba.conf",
  '3D000': 'Create the database (createdb NAME), or name another one in --database-url',
  '42501': 'Let the user create schemas: grant create on database NAME to USER',
  '53300': "Raise the server's max_connections, or stop what holds its connections",
}

/** The reason why a network in a database cannot be opened, with advice. */
export function openingProblem(error: unknown, url: string): unknown {
  if (error instanceof NetworkError) return error
  const code = error instanceof pg.DatabaseError ? error.code : undefined
  const byDefault = isLost(error)
    ? 'Check that PostgreSQL is running there, and check --database-url'
    : 'Fix it, or choose another'
  return new NetworkError(
    'DATABASE_UNUSABLE',
    { url: maskUrl(url), problem: messageOf(error), advice: advice[code ?? ''] ?? byDefault },
    { cause: error },
  )
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0])
  return error instanceof Error ? error.message || String((error as { code?: unknown }).code) : String(error)
}
