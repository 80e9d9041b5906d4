import type { CoverageSink, OverrideTable } from '@understudy/evm'
import type { Engine, EngineOptions } from '../shared/engine.ts'

/**
 * An engine that replaces the return values of overridden functions in every execution. Nothing else does that
 * rule: everything whose results clients can see runs on this engine; code that needs the real contracts uses the
 * engine below it.
 */
export function createOverridingEngine(engine: Engine, table: () => OverrideTable | undefined): Engine {
  return {
    run: (message, block, view, options) => engine.run(message, block, view, { ...options, overrides: table() }),
    // Options are named: a copy of what may be there takes as long as a short call.
    output: (message, block, view, { time, mayShare, coverage }) =>
      engine.output(message, block, view, { time, mayShare, coverage, overrides: table() }),
    advance: (from, to, diff) => engine.advance(from, to, diff),
    retreat: (from, to, keys) => engine.retreat(from, to, keys),
  }
}

/** Where runs are counted, and since when; `undefined` if coverage was never started. */
type Coverage = CoverageSink & { readonly startedAt: number | undefined }

/**
 * An engine whose runs count for coverage: transactions and calls. What the protocol calls does not, nor do estimates, which also
 * run with too little gas. Until coverage was started once, options are passed on as they are: calls are too short for a copy.
 */
export function createCoveringEngine(engine: Engine, coverage: Coverage): Engine {
  const isUnused = () => coverage.startedAt === undefined
  const covering = (options: EngineOptions) =>
    isUnused() || options.kind === 'system' || options.capsGas ? options : { ...options, coverage }
  return {
    run: (message, block, view, options) => engine.run(message, block, view, covering(options)),
    output: (message, block, view, { time, mayShare, overrides }) =>
      engine.output(message, block, view, { time, mayShare, overrides, coverage: isUnused() ? undefined : coverage }),
    advance: (from, to, diff) => engine.advance(from, to, diff),
    retreat: (from, to, keys) => engine.retreat(from, to, keys),
  }
}
