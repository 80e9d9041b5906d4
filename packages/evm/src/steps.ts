import { addressFromLimbs, readLimbs } from './bytes.ts'
import { haltFromNumber } from './halts.ts'
import type { Machine, StepListener } from './machine.ts'
import { opcodeName } from './opcodes.ts'
import type { Address, Step, StepOptions } from './port.ts'

const nothing = new Uint8Array(0)

type Listened = Parameters<StepListener['step']>

/** Makes steps of what the tracing build reports, and hands each over when its cost is known. */
export function createStepListener(
  machine: Machine,
  onStep: (step: Step) => void,
  { operations, stack: wantsStack = true, memory: wantsMemory = true, returnData: wantsReturnData }: StepOptions,
): StepListener {
  /** The operation under way, read now when it is wanted, and otherwise only if it fails. */
  let under: Listened | undefined
  let step: Step | undefined
  /** By the engine's pointers, which stay the same during a run. */
  const addresses = new Map<number, Address>()

  function copyOf(from: number, length: number): Uint8Array {
    return new Uint8Array(machine.bytes.subarray(from, from + length))
  }

  function read(
    [pc, op, gas, refund, depth, stack, stackBase, memory, memorySize, account]: Listened,
    wholeStack: boolean,
  ): Step {
    const { data } = machine
    const words: bigint[] = []
    if (wholeStack) for (let at = stackBase - 32; at >= stack; at -= 32) words.push(readLimbs(data, at))
    return {
      pc,
      op,
      name: opcodeName(op),
      gas,
      refund,
      depth,
      address: addressOf(account),
      stack: words,
      memory: wantsMemory ? copyOf(memory, memorySize) : nothing,
      returnData: wantsReturnData ? copyOf(machine.exports.RETURN_DATA.value, machine.exports.outputLength()) : nothing,
      cost: 0n,
      error: undefined,
    }
  }

  function addressOf(account: number): Address {
    const known = addresses.get(account)
    if (known !== undefined) return known
    const address = addressFromLimbs(machine.bytes, account)
    addresses.set(account, address)
    return address
  }

  return {
    step(...listened) {
      under = listened
      step = operations === undefined || operations.has(listened[1]) ? read(listened, wantsStack) : undefined
    },
    stepDone(cost, halt) {
      if (under === undefined) return
      const failed = halt > 1
      const done = failed && !(step && wantsStack) ? read(under, true) : step
      under = undefined
      if (!done) return
      done.cost = cost
      done.error = haltFromNumber(halt)
      onStep(done)
    },
  }
}
