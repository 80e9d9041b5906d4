import { addressFromLimbs, readLimbs } from '../bytes.ts'
import { haltFromNumber } from '../halts.ts'
import type { Machine } from '../machine.ts'
import { opcodeName } from '../opcodes.ts'
import type { Address, Step, StepOptions } from '../port.ts'
import type { StepListener } from '../wasm.ts'

const nothing = new Uint8Array(0)

/** Makes steps of what the tracing build reports, and hands each over when its cost is known. */
export function createStepListener(
  machine: Machine,
  onStep: (step: Step) => void,
  {
    operations,
    stack: stackOf = true,
    words: maxWords = 1024,
    memory: memoryOf = true,
    returnData: wantsReturnData,
    isWhole: wantsWhole,
    from = 0,
    count = Number.MAX_SAFE_INTEGER,
    digest,
  }: StepOptions,
): StepListener {
  const [wantsStack, wantsMemory] = [isWantedOf(stackOf), isWantedOf(memoryOf)]
  /** The operation that runs now, read now when it is wanted, and otherwise only if it fails. One object serves all. */
  const under = {
    number: from - 1,
    pc: 0,
    op: 0,
    gas: 0n,
    refund: 0n,
    depth: 0,
    stack: 0,
    stackBase: 0,
    memory: 0,
    memorySize: 0,
    account: 0,
  }
  /** Each operation is reported, from the first one on. */
  const hasAll = operations === undefined && digest === undefined
  let isOpen = false
  let step: Step | undefined
  /** By the engine's pointers, which stay the same during a run. */
  const addresses = new Map<number, Address>()

  function copyOf(from: number, length: number): Uint8Array {
    return new Uint8Array(machine.bytes.subarray(from, from + length))
  }

  function read(withStack: boolean): Step {
    const { data } = machine
    const { number, pc, op, gas, refund, depth, stack, stackBase, memory, memorySize, account } = under
    const words: bigint[] = []
    const isWhole = wantsWhole?.(number, stackBase - stack + memorySize + machine.exports.outputLength()) ?? true
    const deepest = Math.min(stackBase, stack + maxWords * 32) - 32
    if (withStack && isWhole) for (let at = deepest; at >= stack; at -= 32) words.push(readLimbs(data, at))
    return {
      number,
      pc,
      op,
      name: opcodeName(op),
      gas,
      refund,
      depth,
      address: addressOf(account),
      stack: words,
      stackSize: (stackBase - stack) / 32,
      memory: isWhole && wantsMemory(op) ? copyOf(memory, memorySize) : nothing,
      memorySize,
      returnData:
        wantsReturnData && isWhole
          ? copyOf(machine.exports.RETURN_DATA.value, machine.exports.outputLength())
          : nothing,
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
    begin() {
      const { exports } = machine
      const reads = digest ? bitsOf(digest.reads, 0x30) : 0n
      exports.setReported(BigInt(from), BigInt(count), BigInt(digest?.every ?? 0), reads)
      const bits = (first: number) => (operations && !digest ? bitsOf(operations, first) : -1n)
      exports.setReportedOperations(bits(0), bits(64), bits(128), bits(192))
    },
    step(pc, op, gas, refund, depth, stack, stackBase, memory, memorySize, account) {
      isOpen = true
      under.number = hasAll ? under.number + 1 : Number(machine.exports.operation.value) - 1
      if (digest && under.number % digest.every === 0)
        digest.at(under.number, machine.exports.stepsDigest.value, machine.exports.readsDigest.value)
      under.pc = pc
      under.op = op
      under.gas = gas
      under.refund = refund
      under.depth = depth
      under.stack = stack
      under.stackBase = stackBase
      under.memory = memory
      under.memorySize = memorySize
      under.account = account
      step = operations === undefined || operations.has(op) ? read(wantsStack(op)) : undefined
    },
    stepDone(cost, halt) {
      if (!isOpen) return
      isOpen = false
      const failed = halt > 1
      const done = failed && !(step && wantsStack(under.op)) ? read(true) : step
      if (!done) return
      done.cost = cost
      done.error = haltFromNumber(halt)
      onStep(done)
    },
  }
}

/** Tells of an operation whether an option is for it. */
const isWantedOf = (option: boolean | ReadonlySet<number>) =>
  typeof option === 'boolean' ? () => option : (op: number) => option.has(op)

/** Bit n: operation `first` + n, of 64. */
function bitsOf(operations: ReadonlySet<number>, first: number): bigint {
  return [...operations]
    .filter((op) => op >= first && op < first + 64)
    .reduce((bits, op) => bits | (1n << BigInt(op - first)), 0n)
}
