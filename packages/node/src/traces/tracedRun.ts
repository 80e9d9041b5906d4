import {
  type BlockContext,
  type Done,
  type Message,
  type MessageKind,
  structLogBytes,
  type TracedRun,
  TraceTooLargeError,
  type TransactionPlace,
} from '@understudy/evm'
import { runLoaded } from '../execution/run.ts'
import type { ComputingTime } from '../shared/budget/computingTime.ts'
import type { Engine } from '../shared/engine.ts'
import { NetworkError } from '../shared/errors.ts'
import type { LoadingView } from '../state/view.ts'

export type Runnable = {
  message: Message
  block: BlockContext
  view: LoadingView
  kind: MessageKind
  place?: TransactionPlace
  /** The computing time for its runs, possibly shared. */
  time: ComputingTime
}

/** Runs a message and records what tracers need. The state must not change until they are done. */
export async function runTraced(
  engine: Engine,
  { message, block, view, kind, place, time }: Runnable,
): Promise<TracedRun> {
  const result = await runLoaded(engine, message, block, view, { kind, time })
  requireWhole(result)
  return {
    message,
    block,
    view,
    result,
    place,
    time,
    async replay(options) {
      try {
        await runLoaded(engine, message, block, view, { kind, time, ...options })
      } catch (error) {
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
