import type {
  BlockContext,
  Message,
  Engine as OneEngine,
  RunOptions,
  RunResult,
  StateView,
  TransactionPosition,
} from '@understudy/evm'
import type { MaybePromise } from './async/maybePromise.ts'
import type { ComputingTime } from './budget/computingTime.ts'
import type { JsonText } from './json/jsonText.ts'

/** What a tracer is to make of a run. */
export type TraceOrder = {
  /** Which tracer, as data that another thread can read. */
  readonly recipe: unknown
  /** About how many bytes of JSON may still be made; runs of one request share it. */
  readonly budget: { bytes: number }
  readonly transactionPosition: TransactionPosition | undefined
  /** Set if another thread ran the message: it has made the trace. */
  json?: JsonText
}

export type EngineOptions = RunOptions & {
  /** The computing time of the run, without waiting for turns; unlimited when sealing blocks. */
  time?: ComputingTime | undefined
  /** The trace that is wanted, where another thread runs the message. */
  trace?: TraceOrder | undefined
}

/** What a call returned; `undefined` if only `run` can tell. */
export type Output = Uint8Array | undefined

type OutputOptions = Pick<RunOptions, 'overrides' | 'coverage'> & {
  time: ComputingTime
  /** Whether another thread may run it, whose time is not counted. */
  mayShare: boolean
}

/** A run ended because its listener had heard enough. */
export class EnoughStepsError extends Error {}

/** The engine of the network, shared by all its users. */
export type Engine = {
  /**
   * Throws `EXECUTION_TOO_LONG` when the time is used up, `REQUEST_CANCELLED` when the client has disconnected, and
   * `EnoughStepsError` where `steps.isEnough` says so.
   */
  run(message: Message, block: BlockContext, view: StateView, options: EngineOptions): MaybePromise<RunResult>
  /**
   * What a call returns, and nothing else of it, which takes a fraction of the time of `run`: a promise if another thread runs
   * it, otherwise at once. `undefined` when it fails, lacks state or takes longer than a slice, or others have their turn now.
   */
  output(message: Message, block: BlockContext, view: StateView, options: OutputOptions): MaybePromise<Output>
  advance: OneEngine['advance']
  retreat: OneEngine['retreat']
}
