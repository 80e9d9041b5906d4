import type { BlockContext, Done, Hex, Message, MissingKeys, RunOptions, StateView, Word } from '../port.ts'

/** A run that is over, and what a tracer may want to know of it. */
export type TracedRun = {
  message: Message
  block: BlockContext
  /** The state before it. `load` fetches what it lacks; where nothing is ever lacking there is none. */
  view: StateView & { load?(wanted: Required<MissingKeys>): Promise<void> }
  result: Done
  /** Runs the message once more, telling of its operations. */
  replay(options: Required<Pick<RunOptions, 'onStep'>> & Pick<RunOptions, 'steps'>): Promise<void>
  transactionPosition?: TransactionPosition
  /** The computing time that its tracers share with it; unlimited by default. */
  time?: { readonly leftMs: number; spend(ms: number): void }
}

/** Where a transaction stands. */
export type TransactionPosition = {
  blockHash: Word
  blockNumber: bigint
  transactionHash: Word
  transactionIndex: number
  /** How many logs the transactions before it in its block made. */
  logsBefore?: number
}

/** Makes the JSON that shows a run; values are hex strings as go-ethereum writes them. */
export type Tracer<T = unknown> = (run: TracedRun) => T | Promise<T>

/** What a trace would hold is more than is allowed. */
export class TraceTooLargeError extends Error {
  constructor() {
    super('The trace is too large')
    this.name = 'TraceTooLargeError'
  }
}

/** What a tracer's code did wrong. */
export class TracerCodeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TracerCodeError'
  }
}

/** A quantity of JSON-RPC: hex without leading zeros. */
export function quantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`
}

/** 32 bytes as hex. */
export function wordHex(value: bigint): Word {
  return `0x${value.toString(16).padStart(64, '0')}`
}
