import type { BlockContext, Message, Engine as OneEngine, OverrideTable, RunResult, StateView } from '@understudy/evm'
import type { EngineOptions, Output } from '../shared/engine.ts'

/** A run as a client of the engine wants it. */
export type WantedRun = {
  message: Message
  block: BlockContext
  view: StateView
  options: EngineOptions
  turn: object | string | symbol
  signal: AbortSignal | undefined
}

/** A call, of which only the output is wanted, within `ms` milliseconds. */
export type WantedOutput = {
  message: Message
  block: BlockContext
  view: StateView
  overrides: OverrideTable | undefined
  ms: number
}

/** Engines in other threads, for long runs and for calls at the same time. */
export type OtherThreads = {
  /** Maximum number of runs at a time. */
  readonly lanes: number
  /** Whether a run can be sent there. */
  takes(run: WantedRun): boolean
  /** Runs it; `undefined`: it has to run in this thread. Spends its time. */
  run(run: WantedRun): Promise<RunResult | undefined>
  /** What a call returns, as `Engine.output`; `undefined` where no thread has less than `most` calls to run, and no other runs. */
  output(call: WantedOutput, most: number): Promise<Output> | undefined
  advance: OneEngine['advance']
}
