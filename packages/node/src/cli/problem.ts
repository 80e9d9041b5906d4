import { isNetworkError } from '../shared/errors.ts'

/** What is printed when a command fails. */
export function problemText(error: unknown): string {
  if (isNetworkError(error, 'CONFIG_INVALID')) return `error: ${error.message}\n(see: understudy start --help)`
  if (isNetworkError(error, 'UPSTREAM_UNAVAILABLE'))
    return `error: the live chain cannot be reached: ${error.details.problem}. Check --fork-url`
  if (isNetworkError(error)) return `error: ${error.message}`
  return `unexpected error: ${error instanceof Error ? error.stack : String(error)}`
}
