import type { ClientConfig } from 'pg'
import { columnTypes } from './values.ts'

/** How long the server works on one statement at the most. */
const statementLimitMs = 60_000
/** How long a transaction may stand still before the server ends it: others would wait for what it locked. */
const idleLimitMs = 5_000

/** What every connection to the schema of a network has in common. */
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
    // Of a server that went away without a word.
    query_timeout: statementLimitMs + 5_000,
    idle_in_transaction_session_timeout: idleLimitMs,
    keepAlive: true,
  }
}
