import type {
  BlockContext,
  Message,
  Engine as OneEngine,
  RunOptions,
  RunResult,
  StateView,
  TransactionPlace,
} from '@understudy/evm'
import type { ComputingTime } from './budget/computingTime.ts'
import type { JsonText } from './json/jsonText.ts'

/** What a tracer is to make of a run. */
export type TraceOrder = {
  /** Which tracer, as data that another thread can read. */
  readonly recipe: unknown
  /** About how many bytes of JSON may still be made; runs of one request share it. */
  readonly budget: { bytes: number }
  readonly place: TransactionPlace | undefined
  /** Set if another thread ran the message: it has made the trace. */
  json?: JsonText
}

export type EngineOptions = RunOptions & {
  /** The computing time of the run, without waiting for turns; unlimited when sealing blocks. */
  time?: ComputingTime | undefined
  /** The trace that is wanted, where another thread runs the message. */
  trace?: TraceOrder | undefined
}

/** What a call returned; `undefined` if it has to run the long way. */
export type Output = Uint8Array | undefined

export type OutputOptions = Pick<RunOptions, 'overrides' | 'coverage'> & { ms: number; mayWait: boolean }

/** A run ended because its listener had heard enough. */
export class EnoughStepsError extends Error {}

/** The engine of the network, shared by all its users. */
export type Engine = {
  /**
   * Throws `EXECUTION_TOO_LONG` when the time is used up, `REQUEST_CANCELLED` when the client has disconnected, and
   * `EnoughStepsError` where `steps.isEnough` says so.
   */
  run(message: Message, block: BlockContext, view: StateView, options: EngineOptions): RunResult | Promise<RunResult>
  /** One slice of a run, at once; `undefined` when that is not all of it, or others have their turn now. */
  runNow(message: Message, block: BlockContext, view: StateView, options: EngineOptions): RunResult | undefined
  /**
   * What a call returns, at once; `undefined` when it fails, takes longer than `ms` milliseconds, or others have their turn
   * now. With `mayWait`, another thread may run it while this one answers others.
   */
  outputNow(message: Message, block: BlockContext, view: StateView, options: OutputOptions): Output | Promise<Output>
  advance: OneEngine['advance']
  retreat: OneEngine['retreat']
}
