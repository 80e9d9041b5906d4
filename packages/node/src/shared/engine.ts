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
  /** What a call returns, at once; `undefined` when it fails, takes longer than so many milliseconds, or others have their turn now. */
  outputNow(
    message: Message,
    block: BlockContext,
    view: StateView,
    options: Pick<RunOptions, 'overrides'> & { ms: number },
  ): Uint8Array | undefined
  advance: OneEngine['advance']
}
