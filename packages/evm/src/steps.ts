import { addressFromLimbs, readLimbs } from './bytes.ts'
import { haltFromNumber } from './halts.ts'
import type { Machine, StepListener } from './machine.ts'
import { opcodeName } from './opcodes.ts'
import type { Step } from './port.ts'

/** Makes steps of what the tracing build reports, and hands each over when its cost is known. */
export function createStepListener(machine: Machine, onStep: (step: Step) => void): StepListener {
  let pending: Omit<Step, 'cost' | 'error'> | undefined
  return {
    step(pc, op, gas, refund, depth, stack, stackBase, memory, memorySize, account) {
      const bytes = machine.bytes
      const words: bigint[] = []
      for (let at = stackBase - 32; at >= stack; at -= 32) words.push(readLimbs(bytes, at))
      pending = {
        pc,
        op,
        name: opcodeName(op),
        gas,
        refund,
        depth,
        address: addressFromLimbs(bytes, account),
        stack: words,
        memory: new Uint8Array(bytes.subarray(memory, memory + memorySize)),
      }
    },
    stepDone(cost, halt) {
      if (pending === undefined) return
      onStep({ ...pending, cost, error: haltFromNumber(halt) })
      pending = undefined
    },
  }
}
