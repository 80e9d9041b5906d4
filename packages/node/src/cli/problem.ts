import { isNetworkError } from '../shared/errors.ts'
import { RemoteError } from './remote/network.ts'

/** The message for a failed command. */
export function problemText(error: unknown): string {
  if (isNetworkError(error, 'CONFIG_INVALID')) return `error: ${error.message}\n(see: understudy --help)`
  if (isNetworkError(error, 'UPSTREAM_UNAVAILABLE'))
    return `error: the live chain cannot be reached: ${error.details.problem}. Check --fork-url`
  if (isNetworkError(error) || error instanceof RemoteError) return `error: ${error.message}`
  if (error instanceof Error && 'syscall' in error) return `error: ${error.message}`
  return `unexpected error: ${error instanceof Error ? error.stack : String(error)}`
}

/** The error as JSON, as the network answered it. */
export function problemJson(error: unknown): string {
  const { message, code, data } = error as { message?: string; code?: number; data?: unknown }
  return JSON.stringify({ error: { code, message: message ?? String(error), data } })
}
