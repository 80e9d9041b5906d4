import {
  type FlatCallTrace,
  flatCallTracer,
  stateDiffTracer,
  type TracedRun,
  type VmTrace,
  vmTracer,
} from '@understudy/evm'
import { hexFromBytes } from '../../shared/hex.ts'

/** The requested traces. */
export type ParityTraceType = 'trace' | 'stateDiff' | 'vmTrace'

/** The traces of a run. Parts that were not requested are empty. */
export type ParityResults = {
  output: string
  stateDiff: Record<string, unknown> | null
  trace: Record<string, unknown>[]
  vmTrace: VmTrace | null
  transactionHash?: string
}

/** The calls of a run in OpenEthereum's format, where failed calls have no result. */
export async function callsOf(run: TracedRun): Promise<FlatCallTrace[]> {
  const traces = await flatCallTracer(run, { convertParityErrors: true, withoutIntrinsicGas: true })
  return traces.map((trace) => (trace.result === undefined ? { ...trace, result: null } : trace))
}

/** Omits the position of the transaction. */
export async function parityResultsOf(run: TracedRun, types: readonly ParityTraceType[]): Promise<ParityResults> {
  return {
    output: hexFromBytes(run.result.output),
    stateDiff: types.includes('stateDiff') ? await stateDiffTracer(run) : null,
    trace: types.includes('trace') ? await callsOf({ ...run, transactionPosition: undefined }) : [],
    vmTrace: types.includes('vmTrace') ? await vmTracer(run) : null,
  }
}
