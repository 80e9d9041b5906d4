import { type Address, replayEvents, type TracedRun } from '@understudy/evm'
import type { CodeLines, Jump } from '../../contracts/codeLines.ts'
import { NetworkError } from '../../shared/errors.ts'
import { InstructionTables } from '../runs/runLines.ts'
import type { Checkpoints } from './checkpoints.ts'
import { RunIndex } from './runIndex.ts'

const op = { stop: 0x00, sstore: 0x55, jump: 0x56, jumpIf: 0x57, jumpDestination: 0x5b, return: 0xf3, revert: 0xfd }
const calls = [0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa, 0xff]
/** Between two of these, code runs on in its order. */
const watched = new Set([...Object.values(op), ...calls])
const withStack = new Set([op.sstore])

const stopLimit = 4_000_000
const writeLimit = 100_000
/** Calls of Solidity are at most this deep: a map that is wrong may never return. */
const callLimit = 2000

/** What is known of an instruction. `next`: the program counter of the one after it. */
type Instruction = { location: number; isEntry: boolean; jump: Jump | undefined; next: number }

type OpenFrame = {
  index: number
  address: Address
  lines: CodeLines | undefined
  instructions: (Instruction | undefined)[]
  /** The jumps that have not returned: whether each entered a function of Solidity. */
  jumps: boolean[]
  calls: number
  /** The location of each of its functions. */
  locations: number[]
  /** The functions that were open at its last stop. */
  stoppedCalls: number
  /** The last operation jumped into a function, perhaps one of the compiler's own: from where, with which stack. */
  entering: { callerPc: number; stackSize: number } | undefined
  /** The program counter of the last operation that was told of. */
  pc: number
  /** The program counter of the next operation, unless the last one jumped. */
  next: number
}

/** Runs the message again and notes where it comes to other lines. Throws `LIMIT_EXCEEDED`. */
export async function indexRun(
  run: TracedRun,
  lines: ReadonlyMap<number, CodeLines>,
  checkpoints: Pick<Checkpoints, 'add'>,
): Promise<RunIndex> {
  const index = new RunIndex(run.result.frames)
  const locations = new LocationNumbers(index)
  const open: OpenFrame[] = []

  function stopIn(frame: OpenFrame, location: number): void {
    if (index.stops >= stopLimit) throw tooMuch('lines', stopLimit)
    const { calls, locations: known } = frame
    const isResumed = frame.stoppedCalls > calls && known[calls] === location
    index.addStop({ step: index.steps, frame: frame.index, location, calls, isResumed })
    known[calls] = location
    known.length = calls + 1
    frame.stoppedCalls = calls
  }

  function enterFunction(frame: OpenFrame, pc: number, from: { callerPc: number; stackSize: number }): void {
    frame.calls++
    if (index.entries >= stopLimit) throw tooMuch('functions', stopLimit)
    index.addEntry({ step: index.steps, frame: frame.index, calls: frame.calls, pc, ...from })
  }

  /** Notes that an instruction runs. */
  function pass(frame: OpenFrame, pc: number, own: CodeLines): void {
    const at = frame.instructions[pc] ?? locations.instructionAt(frame.address, own, pc)
    frame.instructions[pc] = at
    frame.next = at.next
    if (frame.entering) {
      if (frame.jumps.length < callLimit) {
        frame.jumps.push(at.isEntry)
        if (at.isEntry) enterFunction(frame, pc, frame.entering)
      }
      frame.entering = undefined
    }
    if (at.location > 0 && (at.location !== frame.locations[frame.calls] || frame.stoppedCalls !== frame.calls))
      stopIn(frame, at.location)
  }

  await replayEvents(
    run,
    {
      enter({ type, to }, at) {
        index.beginFrame(at, open.at(-1))
        const own = lines.get(at)
        const frame: OpenFrame = {
          index: at,
          address: to,
          lines: own,
          instructions: own ? locations.instructions.of(own) : [],
          jumps: [],
          calls: 0,
          locations: [],
          stoppedCalls: 0,
          entering: undefined,
          pc: 0,
          next: 0,
        }
        open.push(frame)
        // A contract whose lines are not known is one location; one without code is none.
        if (type !== 'SELFDESTRUCT') stopIn(frame, own ? 0 : locations.of({ address: to }))
      },
      exit(_, at) {
        index.endFrame(at)
        open.pop()
        const caller = open.at(-1)
        if (!caller) return
        const location = caller.locations[caller.calls] ?? 0
        index.addStop({ step: index.steps, frame: caller.index, location, calls: caller.calls, isResumed: true })
      },
      step({ number, pc, op: operation, address, stack, stackSize, error }) {
        const frame = open.at(-1)
        if (!frame) return
        frame.pc = pc
        if (frame.lines) {
          // Those before it ran in the order of the code.
          for (; index.steps < number; index.steps++) pass(frame, frame.next, frame.lines)
          pass(frame, pc, frame.lines)
          const jump = operation === op.jump ? frame.instructions[pc]?.jump : undefined
          // The jump takes its destination from the stack.
          if (jump === 'in') frame.entering = { callerPc: pc, stackSize: stackSize - 1 }
          else if (jump === 'out' && frame.jumps.pop()) frame.calls--
        }
        if (operation === op.sstore && error === undefined) {
          if (index.writes.length >= writeLimit) throw tooMuch('writes', writeLimit)
          const [slot = 0n, value = 0n] = [stack.at(-1), stack.at(-2)]
          index.writes.push({ step: number, frame: frame.index, address, slot, value })
        }
        if (error !== undefined) index.failures.push(number)
        index.steps = number + 1
      },
    },
    { operations: watched, stack: withStack, memory: false, onPause: checkpoints.add },
  )
  return index
}

const tooMuch = (what: string, limit: number) =>
  new NetworkError('LIMIT_EXCEEDED', { what: `the ${what} that the run comes to are too many to debug`, limit })

/** Numbers locations as they are found. */
class LocationNumbers {
  readonly #index: RunIndex
  readonly #numbers = new Map<string, number>()
  readonly instructions = new InstructionTables<Instruction>()

  constructor(index: RunIndex) {
    this.#index = index
  }

  of({ address, file, line, name }: { address: Address; file?: string; line?: number; name?: string }): number {
    const key = `${address}:${line}:${name}:${file}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.#index.locations.push({ address, file, line, function: name }) - 1
    this.#numbers.set(key, number)
    return number
  }

  instructionAt(address: Address, lines: CodeLines, pc: number): Instruction {
    const location = lines.at(pc)
    const known = { jump: lines.jumpAt(pc), next: lines.after(pc) ?? pc }
    if (location?.function === undefined || location.isEntry)
      return { ...known, location: 0, isEntry: location?.isEntry ?? false }
    const { file, line, function: name } = location
    return { ...known, location: this.of({ address, file, line, name }), isEntry: false }
  }
}
