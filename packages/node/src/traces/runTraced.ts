import type { BlockContext, Message, MessageKind, TracedRun, TransactionPlace } from '@understudy/evm'
import { runLoaded } from '../execution/run.ts'
import type { ComputingTime } from '../shared/budget/computingTime.ts'
import type { Engine, TraceOrder } from '../shared/engine.ts'
import type { LoadingView } from '../state/view.ts'
import { tracedRunOf } from './tracedRun.ts'
import { type TraceRecipe, tracerOf } from './traceRecipe.ts'

export type Runnable = {
  message: Message
  block: BlockContext
  view: LoadingView
  kind: MessageKind
  place?: TransactionPlace
  time: RunTime
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
  const order: TraceOrder = { ...tracing, place: runnable.place }
  const run = await runOrdered(engine, runnable, order)
  return { run, trace: order.json ?? (await tracerOf(tracing.recipe, tracing.budget)(run)) }
}

async function runOrdered(engine: Engine, runnable: Runnable, trace: TraceOrder | undefined): Promise<TracedRun> {
  const { message, block, view, kind, time } = runnable
  const first = timeNow(time)
  const result = await runLoaded(engine, message, block, view, { kind, time: first, trace })
  return tracedRunOf({ ...runnable, time: first }, result, async (steps) => {
    await runLoaded(engine, message, block, view, { kind, time: timeNow(time), ...steps })
  })
}
