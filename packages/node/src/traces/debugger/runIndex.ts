import type { Address, CallFrame } from '@understudy/evm'
import { Numbers } from './numbers.ts'

/** A line of a function, or a contract whose lines are not known. */
export type IndexedLocation = {
  /** The contract whose code ran. */
  address: Address
  /** `undefined` where the lines are not known; the same for the others. */
  file: string | undefined
  /** Counted from 1. */
  line: number | undefined
  function: string | undefined
}

/** A write to storage. */
export type StorageWrite = { step: number; frame: number; address: Address; slot: bigint; value: bigint }

/** Where the run comes to another line, function or frame. */
export type Stop = {
  step: number
  frame: number
  /** The number of its location; 0 for code between functions, where no one wants to stop. */
  location: number
  /** The Solidity functions of the frame that have not returned. */
  calls: number
  /** The line goes on after it called something. */
  isResumed: boolean
}

/** Where a function of Solidity was entered by a jump. */
export type Entry = {
  /** Its first operation. */
  step: number
  frame: number
  /** The functions of the frame that have not returned, with itself. */
  calls: number
  /** The program counter of its first operation, and of the jump. */
  pc: number
  callerPc: number
  /** The words on the stack then: the last ones are the destination of its return and the arguments. */
  stackSize: number
}

const resumedBit = 0x8000_0000

/** What is kept of a run to move in it. Operations are numbered from 0. */
export class RunIndex {
  /** How many operations ran. */
  steps = 0
  /** By their numbers; there is no location 0. */
  readonly locations: (IndexedLocation | undefined)[] = [undefined]
  readonly frames: readonly CallFrame[]
  readonly writes: StorageWrite[] = []
  /** The operations with which frames failed. */
  readonly failures = new Numbers()
  readonly #entries = {
    step: new Numbers(),
    frame: new Numbers(),
    calls: new Numbers(),
    pc: new Numbers(),
    callerPc: new Numbers(),
    stackSize: new Numbers(),
  }
  /** The first operation of each frame, the one after its last, the frame that called it, and the call there. */
  readonly #begins: number[] = []
  readonly #ends: number[] = []
  readonly #parents: number[] = []
  readonly #callerPcs: number[] = []
  readonly #steps = new Numbers()
  readonly #frames = new Numbers()
  readonly #locations = new Numbers()
  readonly #calls = new Numbers()

  constructor(frames: readonly CallFrame[]) {
    this.frames = frames
  }

  get entries(): number {
    return this.#entries.step.length
  }

  get stops(): number {
    return this.#steps.length
  }

  addStop({ step, frame, location, calls, isResumed }: Stop): void {
    this.#steps.push(step)
    this.#frames.push(frame)
    this.#locations.push(location)
    this.#calls.push(isResumed ? calls + resumedBit : calls)
  }

  beginFrame(frame: number, caller: { index: number; pc: number } | undefined): void {
    this.#begins[frame] = this.steps
    this.#parents[frame] = caller?.index ?? -1
    this.#callerPcs[frame] = caller?.pc ?? 0
  }

  addEntry(entry: Entry): void {
    for (const [field, values] of Object.entries(this.#entries)) values.push(entry[field as keyof Entry])
  }

  /** How a function was entered that is open at an operation; `undefined` if that was not by a jump. */
  entryOf(frame: number, calls: number, step: number): Entry | undefined {
    const { step: steps, frame: frames, calls: depths, pc, callerPc, stackSize } = this.#entries
    for (let at = calls > 0 ? steps.lastAtMost(step) : -1; at >= 0 && steps.at(at) >= this.beginOf(frame); at--)
      if (frames.at(at) === frame && depths.at(at) <= calls)
        return depths.at(at) < calls
          ? undefined
          : { step: steps.at(at), frame, calls, pc: pc.at(at), callerPc: callerPc.at(at), stackSize: stackSize.at(at) }
    return undefined
  }

  /** The first operation after another one, or the last before it, that calls a contract or creates one. */
  callNear(step: number, isBack: boolean): number | undefined {
    // The operation before the first one of each frame, but for the message itself. Frames are in the order in which they began.
    const isCall = (begin: number, frame: number) =>
      frame > 0 && this.frames[frame]?.type !== 'SELFDESTRUCT' && (isBack ? begin - 1 < step : begin - 1 > step)
    const begin = isBack ? this.#begins.findLast(isCall) : this.#begins.find(isCall)
    return begin === undefined ? undefined : begin - 1
  }

  endFrame(frame: number): void {
    this.#ends[frame] = this.steps
  }

  stop(index: number): Stop {
    const calls = this.#calls.at(index)
    return {
      step: this.#steps.at(index),
      frame: this.#frames.at(index),
      location: this.#locations.at(index),
      calls: calls & 0xffff,
      isResumed: calls >= resumedBit,
    }
  }

  /** The last stop at or before an operation. */
  stopAt(step: number): number {
    return Math.max(0, this.#steps.lastAtMost(step))
  }

  /** Where a frame first comes to a line; `undefined` if it calls a function or another contract before. */
  firstLineOf(frame: number): number | undefined {
    for (let at = this.stopAt(this.beginOf(frame)); at < this.stops; at++) {
      const { step, frame: own, location, calls } = this.stop(at)
      if (step < this.beginOf(frame)) continue
      if (own !== frame || calls > 0) return undefined
      if (location > 0) return step
    }
    return undefined
  }

  depthOf(frame: number): number {
    return this.frames[frame]?.depth ?? 0
  }

  /** -1 for the message itself. */
  parentOf(frame: number): number {
    return this.#parents[frame] ?? -1
  }

  /** The program counter of the call that made a frame, in its caller. */
  callerPcOf(frame: number): number {
    return this.#callerPcs[frame] ?? 0
  }

  beginOf(frame: number): number {
    return this.#begins[frame] ?? 0
  }

  /** Whether the changes of a frame were undone before an operation, by its own failure or by that of a caller. */
  isUndone(frame: number, step: number): boolean {
    for (let at = frame; at >= 0; at = this.parentOf(at)) {
      const end = this.#ends[at] ?? this.steps
      if (this.frames[at]?.error !== undefined && end <= step) return true
    }
    return false
  }

  /** What the run had written before an operation, in order, without what was undone. */
  writesBefore(step: number): StorageWrite[] {
    const undone = new Map<number, boolean>()
    const found: StorageWrite[] = []
    for (const write of this.writes) {
      if (write.step >= step) break
      const known = undone.get(write.frame) ?? this.isUndone(write.frame, step)
      undone.set(write.frame, known)
      if (!known) found.push(write)
    }
    return found
  }

  /** The memory that it needs, in bytes, about. */
  get bytes(): number {
    const data = this.frames.reduce((sum, { input, output }) => sum + input.length + output.length, 0)
    return (
      this.stops * 16 * 1.5 +
      this.#entries.step.length * 24 * 1.5 +
      this.writes.length * 200 +
      this.frames.length * 500 +
      data
    )
  }
}
