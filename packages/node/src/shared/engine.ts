import type { BlockContext, Message, Engine as OneEngine, RunOptions, RunResult, StateView } from '@understudy/evm'
import type { ComputingTime } from './budget/computingTime.ts'

export type EngineOptions = RunOptions & {
  /** The computing time of the run, without waiting for turns; unlimited when sealing blocks. */
  time?: ComputingTime | undefined
}

/** The engine of the network, shared by all its users. */
export type Engine = {
  /** Throws `EXECUTION_TOO_LONG` when the time is used up, and `REQUEST_CANCELLED` when the client has disconnected. */
  run(message: Message, block: BlockContext, view: StateView, options: EngineOptions): RunResult | Promise<RunResult>
  advance: OneEngine['advance']
}
