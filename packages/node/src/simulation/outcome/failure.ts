import type { CallFrame, TracedRun } from '@understudy/evm'
import { hexFromBytes } from '../../shared/hex.ts'
import { failedPath } from '../../traces/runs/failedPath.ts'
import type { StackTraces } from '../../traces/stackTraces.ts'
import type { RunKnowledge } from './known.ts'
import type { OutcomeError } from './outcome.ts'
import { errorText } from './run.ts'

/** Maximum number of locations of a failure: the innermost. */
const shownEntries = 50

/** Why a run failed; `undefined` if it succeeded. Without `stackTraces`, the lines are not looked for. */
export async function failureOf(
  run: TracedRun,
  knowledge: RunKnowledge,
  stackTraces: Pick<StackTraces, 'of'> | undefined,
): Promise<OutcomeError | undefined> {
  const { status, halt, output, frames } = run.result
  if (status === 'success') return undefined
  const data = hexFromBytes(status === 'revert' ? output : new Uint8Array())
  const innermost = frames[failedPath(frames).at(-1) ?? 0] as CallFrame
  const decoded = status === 'revert' ? knowledge.revertOf(innermost.to, data) : undefined
  const stack = (await stackTraces?.of(run)) ?? []
  return {
    message: errorText(status === 'revert' ? 'revert' : halt) ?? 'execution halted',
    reason: decoded?.reason,
    decoded: decoded?.item,
    data,
    address: innermost.to,
    stack: stack.slice(0, shownEntries),
  }
}
