import type { BatchRefusal } from './batches.ts'
import type { RpcAnswer, RpcCall } from './calls.ts'
import type { LogsFaults } from './logs.ts'
import type { MethodFaults } from './methods.ts'
import type { ReplicaFaults } from './replicas.ts'
import type { RequestFaults } from './requests.ts'
import type { StateFaults } from './state.ts'

/** What goes wrong between a client and its upstream. Everything is off by default, and works together. */
export type Faults = RequestFaults &
  StateFaults &
  ReplicaFaults &
  MethodFaults & {
    /** Milliseconds before each HTTP request is answered. */
    delayMs?: number
    /** This HTTP status for every request, such as 429 or 503, with `headers`. */
    status?: number
    /** Added to every answer, such as `retry-after`. */
    headers?: Record<string, string>
    /** Batch items that get a 429 error inside an HTTP 200: at these indexes of the batch, or all but the first N. */
    limitItems?: readonly number[] | { allBut: number }
    /** How batches are refused: all of them, or with `maxBatch` those of more calls. */
    refuseBatches?: BatchRefusal
    /** Calls that a batch may have. */
    maxBatch?: number
    /** Bytes that a batch may have; a larger one is answered with HTTP 413. */
    maxBatchBytes?: number
    /** This instead of every answer, with `headers`. */
    body?: Buffer
    /** Cuts the answer's JSON in its middle. */
    truncate?: boolean
    /** Resets the connection instead of an answer. */
    reset?: boolean
    logs?: LogsFaults
    /** Answers a call instead of the upstream; `undefined` passes it on. */
    answer?: (call: RpcCall) => RpcAnswer | undefined | Promise<RpcAnswer>
  }
