import { MethodError } from '../rpc/dispatch/methodCalls.ts'
import { type ErrorKind, isNetworkError } from '../shared/errors.ts'
import { readableText } from '../shared/readableText.ts'

/** What to do about an error, in terms of tools. */
const nextSteps: Partial<Record<ErrorKind, string>> = {
  UNAUTHORIZED: 'Ask for an API key with a higher role, or use the tools that only read',
  RATE_LIMITED: 'Wait a second, then try again',
  KEY_COMPUTE_QUOTA_EXCEEDED: 'Wait a minute, then try again',
  KEY_FETCH_QUOTA_EXCEEDED: 'Wait a minute, then try again',
  INSUFFICIENT_FUNDS: 'Call set_balance for the sender, then try again',
  EXECUTION_REVERTED: 'Call simulate with the same arguments: it names the line',
  TRANSACTION_NOT_FOUND: 'Call find_transactions for the hashes of this network',
  NOT_FOUND: 'Call find_transactions for transactions of this network, or describe_network for what was set up',
  ANSWER_TOO_LARGE: 'Ask for less: another transaction, or a narrower range',
  INVALID_PARAMS: 'Correct this argument, then try again',
}

/** The JSON that a tool answers instead of what it found; `undefined` for an error that is unexpected. */
export function toolErrorText(error: unknown): string | undefined {
  if (!(error instanceof MethodError) && !isNetworkError(error)) return undefined
  const { kind, message } = error
  return JSON.stringify({
    error: kind ?? 'ERROR',
    message: readableText(message.slice(0, 2000)).slice(0, 4000),
    next: kind === undefined ? undefined : nextSteps[kind],
    ...(error instanceof MethodError && { method: error.method }),
  })
}
