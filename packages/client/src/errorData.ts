import type { Result } from './actions.ts'
import type { ErrorKind } from './generated/types.ts'

/**
 * The `kind` of an error that the network answered, such as `SLOT_FOLLOWED` (see docs/errors.md); `undefined` for any other
 * error. A newer network may answer with other kinds.
 */
export function errorKind(error: unknown): ErrorKind | (string & {}) | undefined {
  return dataOf(error)?.kind
}

/**
 * Where the contract failed for which a method of our own failed, innermost first, as `dev_getStackTrace` returns it;
 * `undefined` for any other error.
 */
export function stackTraceOf(error: unknown): Result<'dev_getStackTrace'> | undefined {
  return dataOf(error)?.stackTrace
}

type ErrorData = { kind: string; stackTrace?: Result<'dev_getStackTrace'> }

function dataOf(error: unknown): ErrorData | undefined {
  for (let each = error; typeof each === 'object' && each !== null; each = (each as { cause?: unknown }).cause) {
    const { data } = each as { data?: unknown }
    const kind = typeof data === 'object' && data !== null ? (data as { kind?: unknown }).kind : undefined
    if (typeof kind === 'string') return data as ErrorData
  }
  return undefined
}
