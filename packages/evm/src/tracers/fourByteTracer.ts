import { hexFromBytes } from '../bytes.ts'
import { requireRules } from '../forks.ts'
import { isPrecompile } from './isPrecompile.ts'
import type { TracedRun } from './tracer.ts'

/** go-ethereum's `4byteTracer`: how often each function was called, by selector and size of its arguments. */
export function fourByteTracer({ result, block }: TracedRun): Record<string, number> {
  const rules = requireRules(block.fork)
  const counts: Record<string, number> = {}
  for (const { type, to, input } of result.frames) {
    const isCall = type === 'CALL' || type === 'CALLCODE' || type === 'DELEGATECALL' || type === 'STATICCALL'
    if (!isCall || input.length < 4 || isPrecompile(to, rules)) continue
    const key = `${hexFromBytes(input.subarray(0, 4))}-${input.length - 4}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}
