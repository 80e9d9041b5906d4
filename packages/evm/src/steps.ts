import { addressFromLimbs, readLimbs } from './bytes.ts'
import { haltFromNumber } from './halts.ts'
import type { Machine, StepListener } from './machine.ts'
import { opcodeName } from './opcodes.ts'
import type { Step, StepOptions } from './port.ts'

const nothing = new Uint8Array(0)

/** Makes steps of what the tracing build reports, and hands each over when its cost is known. */
export function createStepListener(
  machine: Machine,
  onStep: (step: Step) => void,
  { operations, stack: wantsStack = true, memory: wantsMemory = true, returnData: wantsReturnData }: StepOptions,
): StepListener {
  /** The operation under way; its parts are copied now when it is wanted, and otherwise only if it fails. */
  let pending:
    | { step: Omit<Step, 'cost' | 'error'> | undefined; read(wholeStack: boolean): Omit<Step, 'cost' | 'error'> }
    | undefined

  function copyOf(from: number, length: number): Uint8Array {
    return new Uint8Array(machine.bytes.subarray(from, from + length))
  }

  return {
    step(pc, op, gas, refund, depth, stack, stackBase, memory, memorySize, account) {
      const read = (wholeStack: boolean) => {
        const bytes = machine.bytes
        const words: bigint[] = []
        if (wholeStack) for (let at = stackBase - 32; at >= stack; at -= 32) words.push(readLimbs(bytes, at))
        return {
          pc,
          op,
          name: opcodeName(op),
          gas,
          refund,
          depth,
          address: addressFromLimbs(bytes, account),
          stack: words,
          memory: wantsMemory ? copyOf(memory, memorySize) : nothing,
          returnData: wantsReturnData
            ? copyOf(machine.exports.RETURN_DATA.value, machine.exports.outputLength())
            : nothing,
        }
      }
      pending = { step: operations === undefined || operations.has(op) ? read(wantsStack) : undefined, read }
    },
    stepDone(cost, halt) {
      if (pending === undefined) return
      const failed = halt > 1
      const step = failed && !(pending.step && wantsStack) ? pending.read(true) : pending.step
      pending = undefined
      if (step) onStep({ ...step, cost, error: haltFromNumber(halt) })
    },
  }
}
