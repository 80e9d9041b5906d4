import { type Done, structLogBytes, type TracedRun, TraceTooLargeError } from '@understudy/evm'
import { EnoughStepsError } from '../../shared/engine.ts'
import { NetworkError } from '../../shared/errors.ts'

/**
 * A finished run and what tracers need. The state must not change until they are done. `runAgain` runs the message once
 * more, and reports its operations.
 */
export function tracedRunOf(
  {
    message,
    block,
    view,
    transactionPosition,
    time,
  }: Pick<TracedRun, 'message' | 'block' | 'view' | 'transactionPosition' | 'time'>,
  result: Done,
  runAgain: TracedRun['replay'],
): TracedRun {
  requireWhole(result)
  return {
    message,
    block,
    view,
    result,
    transactionPosition,
    ...(time && { time }),
    async replay(options) {
      try {
        await runAgain(options)
      } catch (error) {
        if (error instanceof EnoughStepsError) return
        throw error instanceof TraceTooLargeError ? tooLarge() : error
      }
    },
  }
}

function requireWhole({ framesTruncated }: Done): void {
  if (!framesTruncated) return
  const what = 'the calls of the transaction, or their data, exceed what can be recorded'
  throw new NetworkError('LIMIT_EXCEEDED', { what, limit: '165000 calls with 32 MiB' })
}

function tooLarge(): NetworkError {
  const what =
    'the trace is too large; omit parts with disableStack, disableStorage or limit, or use a tracer such as callTracer'
  return new NetworkError('LIMIT_EXCEEDED', { what, limit: `${structLogBytes} bytes` })
}
