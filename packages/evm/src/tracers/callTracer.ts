import { hexFromBytes } from '../bytes.ts'
import { isCreation } from '../callFrames.ts'
import type { Address, CallType, Hex, Word } from '../port.ts'
import { type CallNode, callTree, ownLogs } from './callTree.ts'
import { haltMessages } from './haltMessages.ts'
import { revertReason } from './revertReason.ts'
import { type StorageWrite, storageWrites } from './storageWrites.ts'
import { quantity, type TracedRun } from './tracer.ts'

export type CallTracerOptions = {
  /** Leaves out the calls inside. */
  onlyTopCall?: boolean
  withLog?: boolean
  /** Adds what each call wrote; not in go-ethereum's. */
  withStorage?: boolean
}

export type CallTrace = {
  type: CallType
  from: Address
  to?: Address
  value?: Hex
  gas: Hex
  gasUsed: Hex
  input: Hex
  output?: Hex
  error?: string
  revertReason?: string
  logs?: { address: Address; topics: Word[]; data: Hex; index: Hex; position: Hex }[]
  writes?: readonly StorageWrite[]
  calls?: CallTrace[]
}

/** go-ethereum's `callTracer`: the calls as a tree. Gas of the outermost is the transaction's. */
export async function callTracer(run: TracedRun, options: CallTracerOptions = {}): Promise<CallTrace> {
  const { result, message, transactionPosition } = run
  const errors = await haltMessages(run)
  const logsBefore = transactionPosition?.logsBefore ?? 0
  const writes = options.withStorage ? await storageWrites(run) : []

  function logsOf(node: CallNode): Pick<CallTrace, 'logs'> {
    const logs = options.withLog ? ownLogs(node) : []
    if (logs.length === 0) return {}
    return {
      logs: logs.flatMap(({ index, position }) => {
        const log = result.logs[index]
        if (!log) return []
        const { address, topics, data } = log
        const positions = { index: quantity(logsBefore + index), position: quantity(position) }
        return { address, topics, data: hexFromBytes(data), ...positions }
      }),
    }
  }

  function traceOf(node: CallNode): CallTrace {
    const { frame, index, children } = node
    const error = errors[index]
    const reason = error && frame.error === 'revert' ? revertReason(frame.output) : undefined
    const nested = options.onlyTopCall ? [] : children
    return {
      type: frame.type,
      from: frame.from,
      ...(!(isCreation(frame) && error) && { to: frame.to }),
      ...(frame.type !== 'STATICCALL' && { value: quantity(frame.value) }),
      gas: quantity(index === 0 ? message.gasLimit : frame.gas),
      gasUsed: quantity(index === 0 ? result.gasUsed : frame.gasUsed),
      input: hexFromBytes(frame.input),
      ...(frame.output.length > 0 && { output: hexFromBytes(frame.output) }),
      ...(error !== undefined && { error }),
      ...(reason !== undefined && { revertReason: reason }),
      ...logsOf(node),
      ...(writes[index]?.length && { writes: writes[index] }),
      ...(nested.length > 0 && { calls: nested.map(traceOf) }),
    }
  }

  return traceOf(callTree(result.frames))
}
