import type { CallFrame, Done, Word } from '@understudy/evm'
import { hexFromBytes } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import type { CallRecord, CreationRecord } from '../storage/records/activity/calls.ts'
import type { MappingKeyRecord } from '../storage/records/activity/mappingKeys.ts'
import type { TransferRecord } from '../storage/records/activity/transfers.ts'
import { mappingKeysOf } from './mappingKeys.ts'
import { transfersOf } from './transfers.ts'

/** Bytes of an input or an output that are kept. A call with ten arguments has 324; what is cut keeps its length. */
export const keptBytes = 1024

/** What a transaction did inside, as it is stored. */
export type Activity = {
  calls: CallRecord[]
  creations: (CreationRecord & { code: Uint8Array; initCode: Uint8Array })[]
  transfers: TransferRecord[]
  mappingKeys: MappingKeyRecord[]
  /** Init code by its hash, of creations that are not the transaction itself. */
  codes: Map<Word, Uint8Array>
}

/** Where the transaction stands is spelt out in every record: spreading an object costs microseconds, and there are many. */
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
    if (!isCreation(frame) || outcomes[position] !== 'lived') return []
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

/** Results hold their own bytes: only what is cut has to be copied. */
const startOf = (bytes: Uint8Array) => (bytes.length <= keptBytes ? bytes : bytes.slice(0, keptBytes))

const isCreation = ({ type }: CallFrame) => type === 'CREATE' || type === 'CREATE2'

/** What became of each frame: one that succeeded inside of one that failed did nothing. */
function outcomesOf(frames: readonly CallFrame[]): CallOutcome[] {
  /** The depth of the outermost frame that failed and that we are in. */
  let failedAt = Number.POSITIVE_INFINITY
  return frames.map(({ depth, error }) => {
    if (depth <= failedAt) failedAt = Number.POSITIVE_INFINITY
    if (error !== undefined) {
      failedAt = Math.min(failedAt, depth)
      return 'failed'
    }
    return depth > failedAt ? 'undone' : 'lived'
  })
}
