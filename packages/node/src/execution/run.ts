import type { BlockContext, Done, Engine, Message, RunOptions } from '@understudy/evm'
import { NetworkError } from '../shared/errors.ts'
import type { LoadingView } from '../state/view.ts'
import { rejection } from './rejection.ts'

/** Each pass finds all that can be known without the values of the last; only a chain of pointers comes near this. */
const passLimit = 10_000

/**
 * Runs a message, fetching what the view lacks in as few rounds as there are: an execution costs microseconds and a round
 * trip milliseconds, so it is run again after each. Throws why the message may not run at all.
 */
export async function runLoaded(
  engine: Engine,
  message: Message,
  block: BlockContext,
  view: LoadingView,
  options: RunOptions,
  signal?: AbortSignal,
): Promise<Done> {
  for (let pass = 0; pass < passLimit; pass++) {
    const result = await engine.run(message, block, view, options)
    if (result.type === 'done') return result
    if (result.type === 'rejected') throw rejection(result, message.from)
    await view.load(result, signal)
  }
  throw new NetworkError('EXECUTION_FAILED', {
    text: `the state that it needs was not complete after ${passLimit} rounds`,
  })
}
