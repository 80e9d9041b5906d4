import { type CallFrame, type Done, isCreation, type Word } from '@understudy/evm'
import { hexFromBytes } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import type { CallRecord, CreationRecord } from '../storage/records/activity/calls.ts'
import type { MappingKeyRecord } from '../storage/records/activity/mappingKeys.ts'
import type { TransferRecord } from '../storage/records/activity/transfers.ts'
import { mappingKeysOf } from './mappingKeys.ts'
import { transfersOf } from './transfers.ts'

/**
 * Maximum stored bytes of an input or output. A call with ten arguments has 324; the length of truncated data is kept.
 */
export const keptBytes = 1024

/** The activity inside a transaction in stored form. */
export type Activity = {
  calls: CallRecord[]
  creations: (CreationRecord & { code: Uint8Array; initCode: Uint8Array })[]
  transfers: TransferRecord[]
  mappingKeys: MappingKeyRecord[]
  /** Init code by hash, for creations other than the transaction itself. */
  codes: Map<Word, Uint8Array>
}

/** Position fields are written out in each record: spreading an object costs microseconds, and there are many. */
export function activityOf(
  result: Done,
  { blockNumber, transactionPosition }: { blockNumber: bigint; transactionPosition: number },
): Activity {
  const outcomes = outcomesOf(result.frames)
  const codes = new Map<Word, Uint8Array>()
  const calls = result.frames.map((frame, position): CallRecord => {
    const creates = isCreation(frame)
    return {
      blockNumber,
      transactionPosition,
      position,
      depth: frame.depth,
      type: frame.type,
      sender: frame.from,
      recipient: frame.to,
      selector: creates || frame.input.length < 4 ? undefined : hexFromBytes(frame.input.subarray(0, 4)),
      value: frame.value,
      gas: frame.gas,
      gasUsed: frame.gasUsed,
      input: position === 0 || creates ? undefined : startOf(frame.input),
      inputSize: frame.input.length,
      output: creates && frame.error === undefined ? undefined : startOf(frame.output),
      outputSize: frame.output.length,
      outcome: outcomes[position] ?? 'failed',
      halt: frame.error === 'revert' ? undefined : frame.error,
    }
  })
  const creations = result.frames.flatMap((frame, position) => {
    if (!isCreation(frame) || outcomes[position] !== 'succeeded') return []
    const code = result.diff.accounts.get(frame.to)?.code
    if (!code?.length) return []
    const initCode = frame.input
    const initHash = position === 0 ? undefined : keccak(initCode)
    if (initHash) codes.set(initHash, initCode)
    return [
      { blockNumber, transactionPosition, position, address: frame.to, creator: frame.from, initHash, code, initCode },
    ]
  })
  return {
    calls,
    creations,
    transfers: transfersOf(result, outcomes).map(({ kind, token, sender, recipient, tokenId, amount }, position) => ({
      blockNumber,
      transactionPosition,
      position,
      kind,
      token,
      sender,
      recipient,
      tokenId,
      amount,
    })),
    mappingKeys: mappingKeysOf(result, blockNumber),
    codes,
  }
}

export type CallOutcome = CallRecord['outcome']

/** Results own their bytes: only truncated data must be copied. */
const startOf = (bytes: Uint8Array) => (bytes.length <= keptBytes ? bytes : bytes.slice(0, keptBytes))

/** The outcome of each frame: a success inside a failed frame has no effect. */
function outcomesOf(frames: readonly CallFrame[]): CallOutcome[] {
  /** The depth of the outermost failed frame around the current one. */
  let failedAt = Number.POSITIVE_INFINITY
  return frames.map(({ depth, error }) => {
    if (depth <= failedAt) failedAt = Number.POSITIVE_INFINITY
    if (error !== undefined) {
      failedAt = Math.min(failedAt, depth)
      return 'failed'
    }
    return depth > failedAt ? 'reverted' : 'succeeded'
  })
}
