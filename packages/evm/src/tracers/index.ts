export { accessListTracer } from './accessListTracer.ts'
export { type CallTrace, type CallTracerOptions, callTracer } from './callTracer.ts'
export { type CallNode, callTree, ownLogs } from './callTree.ts'
export { replayEvents, type TraceEvents } from './events.ts'
export { type FlatCallTrace, type FlatCallTracerOptions, flatCallTracer } from './flatCallTracer.ts'
export { fourByteTracer } from './fourByteTracer.ts'
export { haltMessages } from './haltMessages.ts'
export { isPrecompile, precompileNumber } from './isPrecompile.ts'
export { type OpcodeGas, opcodeGasTracer } from './opcodeGasTracer.ts'
export {
  type Prestate,
  type PrestateAccount,
  type PrestateDiff,
  type PrestateTracerOptions,
  prestateTracer,
} from './prestateTracer.ts'
export { revertReason } from './revertReason.ts'
export { type AccountDelta, type Delta, stateDiffTracer } from './stateDiffTracer.ts'
export { type StructLog, type StructLogOptions, type StructLogTrace, structLogBytes, structLogs } from './structLogs.ts'
export { delegateOf } from './touchedState.ts'
export { type TracedRun, type Tracer, TracerCodeError, TraceTooLargeError, type TransactionPosition } from './tracer.ts'
export { createTracer, isTracerCode, runsTracerCode, type TracerOptions, tracerNames } from './tracers.ts'
export { type VmOperation, type VmTrace, vmTracer } from './vmTracer.ts'
