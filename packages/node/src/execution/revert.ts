import { type BlockContext, type Done, type Message, revertReason, type TracedRun } from '@understudy/evm'
import { consoleLogsOf } from '../ethereum/abi/consoleLog.ts'
import { chain, type MaybePromise } from '../shared/async/maybePromise.ts'
import type { ComputingTime } from '../shared/budget/computingTime.ts'
import type { Engine, EngineOptions } from '../shared/engine.ts'
import { NetworkError } from '../shared/errors.ts'
import { hexFromBytes } from '../shared/hex.ts'
import type { LoadingView } from '../state/view.ts'
import { runLoaded } from './run.ts'

/** Maximum number of logs in an error. */
const shownLogs = 100

/** A run as it can be repeated: to find where it failed. */
export type RepeatableRun = Pick<TracedRun, 'message' | 'block' | 'view'> & {
  time: ComputingTime
  /** Runs the message again in so much computing time, and reports its operations. */
  runAgain(steps: Parameters<TracedRun['replay']>[0], time: ComputingTime): Promise<void>
}

/** An execution failed. */
export class FailedRunError extends NetworkError<'EXECUTION_REVERTED' | 'EXECUTION_FAILED'> {
  readonly result: Done
  /** `undefined` if it cannot be repeated. */
  readonly run: RepeatableRun | undefined

  constructor(result: Done, run: RepeatableRun | undefined) {
    const consoleLogs = consoleLogsOf(result, shownLogs).map(({ text }) => text)
    const logged = consoleLogs.length > 0 ? { consoleLogs } : {}
    if (result.status === 'halt') super('EXECUTION_FAILED', { text: result.halt ?? 'execution halted', ...logged })
    else {
      const reason = revertReason(result.output)
      const text = reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`
      super('EXECUTION_REVERTED', { text, ...logged }, { data: hexFromBytes(result.output) })
    }
    this.result = result
    this.run = run
  }
}

/** Throws `FailedRunError` if an execution failed: `EXECUTION_REVERTED` with the return data, or `EXECUTION_FAILED`. */
export function requireSuccess(result: Done, run?: RepeatableRun): Done {
  if (result.status === 'success') return result
  throw new FailedRunError(result, run)
}

/** Runs a message that has to succeed. `onRun` is told of the result. Throws `FailedRunError` otherwise. */
export function runToSuccess(
  engine: Engine,
  { message, block, view }: { message: Message; block: BlockContext; view: LoadingView },
  options: EngineOptions & { time: ComputingTime },
  onRun?: (result: Done) => void,
): MaybePromise<Done> {
  return chain(runLoaded(engine, message, block, view, options), (result) => {
    onRun?.(result)
    return requireSuccess(result, {
      message,
      block,
      view,
      time: options.time,
      async runAgain(steps, time) {
        await runLoaded(engine, message, block, view, { ...options, ...steps, time })
      },
    })
  })
}
