import type { ClientConfig } from 'pg'
import { columnTypes } from './values.ts'

/** Maximum time for one statement on the server. */
const statementLimitMs = 60_000
/** Maximum idle time of a transaction, after which the server ends it, because its locks block others. */
const idleLimitMs = 5_000

/** Options of every connection to a network's schema. */
export function connectionOptions(url: string, schema: string): ClientConfig {
  const target = new URL(url)
  const given = target.searchParams.get('options')
  target.searchParams.set('options', `${given ? `${given} ` : ''}-c search_path=${schema}`)
  return {
    connectionString: target.href,
    application_name: `understudy ${schema}`,
    types: columnTypes,
    connectionTimeoutMillis: 5_000,
    statement_timeout: statementLimitMs,
    // Detects a server that disappeared without closing the connection.
    query_timeout: statementLimitMs + 5_000,
    idle_in_transaction_session_timeout: idleLimitMs,
    keepAlive: true,
  }
}
