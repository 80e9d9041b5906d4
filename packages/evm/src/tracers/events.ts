import type { CallFrame, Step, StepOptions } from '../port.ts'
import type { TracedRun } from './tracer.ts'

/** What happens during a run, in order. */
export type TraceEvents = {
  /** A call, creation or destruction begins. `index` is its position in the frames of the result. */
  enter?(frame: CallFrame, index: number): void
  step(step: Step): void
  exit?(frame: CallFrame, index: number): void
}

/** The operations that begin a frame: calls, creations, SELFDESTRUCT. */
const creations: ReadonlySet<number> = new Set([0xf0, 0xf5])
const beginnings: ReadonlySet<number> = new Set([...creations, 0xf1, 0xf2, 0xf4, 0xfa, 0xff])

/** Runs the message once more and tells of operations and frames. The cost of a creation is without the gas that it gives. */
export async function replayEvents({ result, replay }: TracedRun, events: TraceEvents, steps: StepOptions = {}) {
  const { frames } = result
  const open: number[] = []
  let next = 0
  const enter = () => {
    const frame = frames[next]
    if (!frame) return
    events.enter?.(frame, next)
    open.push(next++)
  }
  /** Ends the frames that are at least as deep. */
  const exit = (depth: number) => {
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const frame = frames[top] as CallFrame
      if (frame.depth < depth) return
      open.pop()
      events.exit?.(frame, top)
    }
  }
  enter()
  await replay({
    steps: { ...steps, ...(steps.operations && { operations: new Set([...steps.operations, ...beginnings]) }) },
    onStep(step) {
      exit(step.depth + 1)
      const begun = step.error === undefined && beginnings.has(step.op) ? frames[next] : undefined
      if (begun && creations.has(step.op)) step.cost -= begun.gas
      if (!steps.operations || steps.operations.has(step.op) || step.error !== undefined) events.step(step)
      if (begun?.depth === step.depth + 1) enter()
    },
  })
  exit(0)
}
