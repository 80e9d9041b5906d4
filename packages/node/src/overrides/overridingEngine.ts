import type { OverrideTable } from '@understudy/evm'
import type { Engine } from '../shared/engine.ts'

/**
 * An engine that replaces what overridden functions return, in every execution that it is given. The one place of that rule:
 * whatever a client can see the result of runs on this engine, and what must see the real contracts on the engine below it.
 */
export function createOverridingEngine(engine: Engine, table: () => OverrideTable | undefined): Engine {
  return {
    run: (message, block, view, options) => engine.run(message, block, view, { ...options, overrides: table() }),
    advance: (from, to, diff) => engine.advance(from, to, diff),
  }
}
