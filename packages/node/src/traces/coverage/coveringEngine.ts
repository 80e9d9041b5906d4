import type { Engine, EngineOptions } from '../../shared/engine.ts'
import type { CoverageRecorder } from './coverage.ts'

/**
 * An engine whose runs count for coverage: transactions and calls. What the protocol calls does not, nor do estimates, which also
 * run with too little gas. Until coverage was started once, options are passed on as they are: calls are too short for a copy.
 */
export function createCoveringEngine(engine: Engine, coverage: CoverageRecorder): Engine {
  const isUnused = () => coverage.startedAt === undefined
  const covering = (options: EngineOptions) =>
    isUnused() || options.kind === 'system' || options.capsGas ? options : { ...options, coverage }
  return {
    run: (message, block, view, options) => engine.run(message, block, view, covering(options)),
    runNow: (message, block, view, options) => engine.runNow(message, block, view, covering(options)),
    outputNow: (message, block, view, { ms, mayWait, overrides }) =>
      engine.outputNow(message, block, view, { ms, mayWait, overrides, coverage: isUnused() ? undefined : coverage }),
    advance: (from, to, diff) => engine.advance(from, to, diff),
    retreat: (from, to, keys) => engine.retreat(from, to, keys),
  }
}
