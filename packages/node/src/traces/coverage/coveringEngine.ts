import type { CoverageSink } from '@understudy/evm'
import type { Engine } from '../../shared/engine.ts'

/**
 * An engine whose runs count for coverage: transactions and calls. What the protocol calls does not, nor do estimates, which also
 * run with too little gas.
 */
export function createCoveringEngine(engine: Engine, coverage: CoverageSink): Engine {
  return {
    run: (message, block, view, options) =>
      engine.run(
        message,
        block,
        view,
        options.kind === 'system' || options.capsGas ? options : { ...options, coverage },
      ),
    outputNow: (message, block, view, options) => engine.outputNow(message, block, view, { ...options, coverage }),
    advance: (from, to, diff) => engine.advance(from, to, diff),
  }
}
