import type { OverrideTable } from '@understudy/evm'
import type { Engine } from '../shared/engine.ts'

/**
 * An engine that replaces the return values of overridden functions in every execution. This is the only place for that
 * rule: everything whose results clients can see runs on this engine; code that needs the real contracts uses the
 * engine below it.
 */
export function createOverridingEngine(engine: Engine, table: () => OverrideTable | undefined): Engine {
  return {
    run: (message, block, view, options) => engine.run(message, block, view, { ...options, overrides: table() }),
    runNow: (message, block, view, options) => engine.runNow(message, block, view, { ...options, overrides: table() }),
    // Options are named: a copy of what may be there takes as long as a short call.
    outputNow: (message, block, view, { ms, mayWait, coverage }) =>
      engine.outputNow(message, block, view, { ms, mayWait, coverage, overrides: table() }),
    advance: (from, to, diff) => engine.advance(from, to, diff),
    retreat: (from, to, keys) => engine.retreat(from, to, keys),
  }
}
