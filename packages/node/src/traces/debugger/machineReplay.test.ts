import type { StepOptions, TracedRun } from '@understudy/evm'
import { expect, it } from 'vitest'
import { keptBytes, MachineReplay } from './machineReplay.ts'

const steps = 5000
const large = 900_000

/** A run whose first half has no memory, and whose second half has much. `copied`: the bytes that were asked for. */
function run() {
  const told = { runs: 0, copied: 0 }
  const replay: TracedRun['replay'] = async ({ steps: options, onStep }) => {
    const { from = 0, count = steps, isWhole, isEnough } = options as StepOptions
    told.runs++
    for (let number = from; number < Math.min(steps, from + count) && !isEnough?.(); number++) {
      const memorySize = number < steps / 2 ? 0 : large
      const isCopied = isWhole?.(number, memorySize) ?? true
      if (isCopied) told.copied += memorySize
      onStep?.({ number, memorySize, memory: new Uint8Array(isCopied ? memorySize : 0) } as never)
    }
  }
  return { told, replay: new MachineReplay({ replay } as never, steps, { before: () => undefined }) }
}

const around = { before: 8, after: 16 }

it('copies little where memory is large, and always the operation that is asked for', async () => {
  const { told, replay } = run()
  await replay.at(steps / 2 - 10, around)
  for (const step of [steps / 2 + 500, steps / 2 + 100, steps / 2, steps - 1]) {
    told.copied = 0
    const { operation, operations } = await replay.at(step, around)
    expect(operation).toMatchObject({ number: step, memory: { length: large } })
    expect(operations.map(({ number }) => number)).toContain(step - 8)
    expect(told.copied).toBeLessThanOrEqual(keptBytes + large)
  }
})

it('keeps the operations around one, so that steps from it need no run', async () => {
  const { told, replay } = run()
  for (const step of [1000, 1001, 1500, 900, 1000]) expect((await replay.at(step)).operation.number).toBe(step)
  expect(told.runs).toBe(1)
})
