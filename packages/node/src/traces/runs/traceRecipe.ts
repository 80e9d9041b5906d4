import {
  createTracer,
  runsTracerCode,
  type StructLogOptions,
  structLogs,
  type Tracer,
  TracerCodeError,
} from '@understudy/evm'
import { NetworkError } from '../../shared/errors.ts'
import { callsOf, type ParityTraceType, parityResultsOf } from './parityResults.ts'

/** The tracer (a name, or code in JavaScript) and its options. Without `tracer`, it is the struct logger. */
export type TraceConfig = StructLogOptions & {
  tracer?: string
  tracerConfig?: Record<string, unknown>
  /** Maximum computing time in milliseconds; it can only shorten `callTimeout`. */
  timeout?: number
}

/** Which trace to make of a run, as data. */
export type TraceRecipe =
  | { type: 'debug'; config: TraceConfig }
  /** The calls as a list, in OpenEthereum's format. */
  | { type: 'calls' }
  | { type: 'parity'; types: readonly ParityTraceType[] }

/** Whether it runs JavaScript of the client's, which holds up its thread: never the main one. */
export function needsThread(recipe: TraceRecipe): boolean {
  const { tracer, tracerConfig } = recipe.type === 'debug' ? recipe.config : {}
  return tracer !== undefined && runsTracerCode(tracer, tracerConfig)
}

/** Throws if a tracer inside `muxTracer` is unknown: the name of the tracer was checked with the parameters. */
export function tracerOf(recipe: TraceRecipe, budget: { bytes: number }): Tracer {
  switch (recipe.type) {
    case 'debug':
      return debugTracerOf(recipe.config, budget)
    case 'calls':
      return callsOf
    case 'parity':
      return (run) => parityResultsOf(run, recipe.types)
  }
}

function debugTracerOf(config: TraceConfig, budget: { bytes: number }): Tracer {
  if (config.tracer === undefined) return (run) => structLogs(run, { ...config, budget })
  const tracer = createTracer(config.tracer, config.tracerConfig)
  if (tracer) return withCodeErrors(tracer)
  throw new NetworkError('INVALID_PARAMS', { field: 'tracerConfig', problem: 'names an unknown tracer' })
}

function withCodeErrors(tracer: Tracer): Tracer {
  return async (run) => {
    try {
      return await tracer(run)
    } catch (error) {
      throw error instanceof TracerCodeError ? new NetworkError('TRACER_FAILED', { text: error.message }) : error
    }
  }
}
