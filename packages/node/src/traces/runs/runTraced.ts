import type { BlockContext, Message, MessageKind, TracedRun, TransactionPosition } from '@understudy/evm'
import { runLoaded } from '../../execution/run.ts'
import type { ComputingTime } from '../../shared/budget/computingTime.ts'
import type { Engine, TraceOrder } from '../../shared/engine.ts'
import { isEmptyWanted, type LoadingView, notLoaded, wantedFrom } from '../../state/view.ts'
import { tracedRunOf } from './tracedRun.ts'
import { needsThread, type TraceRecipe, tracerOf } from './traceRecipe.ts'

export type Runnable = {
  message: Message
  block: BlockContext
  view: LoadingView
  kind: MessageKind
  transactionPosition?: TransactionPosition
  time: RunTime
  /** Collects the keys of mappings, as `RunOptions` has it. */
  preimages?: boolean
}

/** The computing time for the runs of a message, possibly shared; a function gives each run that of its own request. */
export type RunTime = ComputingTime | (() => ComputingTime)

const timeNow = (time: RunTime) => (typeof time === 'function' ? time() : time)

/** The trace to make of a run. Runs of one request share the budget, in approximate bytes of JSON. */
export type Tracing = { recipe: TraceRecipe; budget: { bytes: number } }

/** Runs a message and records what tracers need. The state must not change until they are done. */
export async function runTraced(engine: Engine, runnable: Runnable): Promise<TracedRun> {
  return runOrdered(engine, runnable, undefined)
}

/** Runs a message and makes a trace of it: a value, or its JSON if another thread made it. */
export async function traceRun(
  engine: Engine,
  runnable: Runnable,
  tracing: Tracing,
): Promise<{ run: TracedRun; trace: unknown }> {
  const order: TraceOrder = { ...tracing, transactionPosition: runnable.transactionPosition }
  const run = await runOrdered(engine, runnable, order)
  if (order.json) return { run, trace: order.json }
  if (needsThread(tracing.recipe)) throw new Error('A tracer in JavaScript was about to run in the main thread')
  return { run, trace: await tracerOf(tracing.recipe, tracing.budget)(run) }
}

async function runOrdered(engine: Engine, runnable: Runnable, trace: TraceOrder | undefined): Promise<TracedRun> {
  const { message, block, view, kind, time, preimages = false } = runnable
  const first = timeNow(time)
  const result = await runLoaded(engine, message, block, view, { kind, time: first, trace, preimages })
  return tracedRunOf({ ...runnable, time: first }, result, async (steps) => {
    await loadAgain(view, result)
    await runLoaded(engine, message, block, view, { kind, time: timeNow(time), ...steps })
  })
}

/**
 * Loads what a run read, which may have left memory since. Where state is missing, a run begins again, and would report its
 * operations twice.
 */
async function loadAgain(view: LoadingView, { readSet }: TracedRun['result']): Promise<void> {
  const read = wantedFrom(readSet)
  const wanted = { ...read, codes: read.accounts, blockHashes: [...readSet.blockHashes] }
  const missing = notLoaded(wanted, view)
  if (!isEmptyWanted(missing)) await view.load(missing)
}
