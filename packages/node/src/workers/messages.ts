import type { MessagePort } from 'node:worker_threads'
import type {
  Account,
  Address,
  EncodedDone,
  EngineModules,
  Hex,
  Message,
  Missing,
  MissingKeys,
  ReachedCode,
  Rejected,
  RunOptions,
  StateDiff,
  StateView,
  TransactionPosition,
  Word,
} from '@understudy/evm'
import type { Replacement } from '../overrides/overrideIndex.ts'
import type { SentBlock } from './sentBlock.ts'

/** What a thread is started with. */
export type ThreadData = {
  modules: EngineModules
  /** Counts the answers to `now` requests; the thread sleeps on it. */
  answers: SharedArrayBuffer
  /** Of `now` requests and their answers. */
  nowPort: MessagePort
}

/** Known values of a state, of the keys that were asked for. */
export type Values = {
  accounts: (readonly [Address, Account])[]
  codes: (readonly [codeHash: Word, code: Uint8Array])[]
  slots: (readonly [Address, Word, bigint])[]
  blockHashes: (readonly [bigint, Word])[]
  calls: (readonly [Address, input: Hex, LiveAnswer])[]
}

/** What a contract of the live chain answers. */
export type LiveAnswer = NonNullable<ReturnType<NonNullable<StateView['liveAnswer']>>>

export type Keys = MissingKeys

/** A run as data. States, clients and tables have numbers. */
export type RunRequest = {
  id: number
  turn: number | string
  leftMs: number
  view: number
  /** What every run of the message reads. */
  values: Values
  message: Message
  block: SentBlock
  options: Pick<RunOptions, 'kind' | 'capsGas' | 'preimages'>
  /** The session of coverage that it counts for; 0 while that is off, `undefined` if it does not count. */
  coverage: number | undefined
  /** Whether function overrides apply: those of the last `overrides` message. */
  hasOverrides: boolean
  trace:
    | {
        recipe: unknown
        budgetBytes: number
        transactionPosition: TransactionPosition | undefined
        answerBytes: number
      }
    | undefined
}

/** A call, on the block of the last `block` message, as data. */
export type OutputRequest = Pick<RunRequest, 'id' | 'view' | 'message' | 'hasOverrides'> & { ms: number }

export type ToThread =
  | { type: 'run'; request: RunRequest }
  | { type: 'block'; block: SentBlock }
  | { type: 'output'; request: OutputRequest }
  | { type: 'cancel'; id: number }
  /** The answer to `need` or `load`; without values, they could not be loaded, and the run ends. */
  | { type: 'values'; id: number; values: Values | undefined }
  | { type: 'overrides'; replacements: readonly Replacement[] }
  | { type: 'advance'; from: number; to: number; diff: StateDiff }
  | { type: 'ping' }

/** What a run reached of a code. */
export type CopiedReach = Omit<ReachedCode, 'code'> & { code: Uint8Array }

/** How a run ended. */
export type RunOutcome =
  | {
      type: 'done'
      done: EncodedDone
      trace: { json: Uint8Array; budgetBytes: number } | undefined
      reached: readonly { session: number; reached: CopiedReach }[]
    }
  | Rejected
  /** The state of the network does not have this in memory. */
  | Missing
  | { type: 'timeout' }
  | { type: 'cancelled' }
  /** The trace has at least so many bytes. */
  | { type: 'tooLarge'; bytes: number }
  | { type: 'refused'; kind: string; details: object; data: unknown }
  | { type: 'failed'; error: unknown }

export type FromThread =
  | { type: 'ended'; id: number; spentMs: number; outcome: RunOutcome }
  | { type: 'output'; id: number; output: Uint8Array | undefined }
  /** Asks for what is in memory. */
  | { type: 'need'; id: number; keys: Keys }
  /** Asks for what can be loaded. */
  | { type: 'load'; id: number; keys: Keys }
  | { type: 'pong' }

/** What a thread asks for and waits for, asleep. */
export type NowRequest = { id: number; keys: Keys }
