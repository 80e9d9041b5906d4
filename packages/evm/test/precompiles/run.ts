import { requireRules } from '../../src/forks.ts'
import type { Parts } from '../../src/precompiles/precompile.ts'
import { precompiles } from '../../src/precompiles/table.ts'

const rules = requireRules('osaka')
const compressor = { begin: () => {}, run: () => {}, output: () => new Uint8Array(64) }

/** The parts of a precompile that is computed in parts. */
export function partsOf(number: number, input: Uint8Array): Parts {
  const precompile = precompiles.get(number)
  if (precompile === undefined || !('parts' in precompile)) throw new Error(`Precompile ${number} has no parts`)
  return precompile.parts(input, rules, compressor)
}

/** What a precompile answers; `undefined` when it fails. */
export function run(number: number, input: Uint8Array): Uint8Array | undefined {
  const precompile = precompiles.get(number)
  if (precompile !== undefined && 'run' in precompile) return precompile.run(input, rules)
  const parts = partsOf(number, input)
  for (;;) {
    const part = parts.next()
    if (part.done) return part.value
  }
}
