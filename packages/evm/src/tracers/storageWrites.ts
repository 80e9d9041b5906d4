import type { Address, CallFrame, Hex, Step, Word } from '../port.ts'
import { type RunningState, replayWithState } from './runningState.ts'
import { quantity, type TracedRun, wordHex } from './tracer.ts'

const sstore = 0x55
const firstLog = 0xa0
const lastLog = 0xa4
const logs = Array.from({ length: lastLog - firstLog + 1 }, (_, index) => firstLog + index)

/** A slot that a frame changed. `position` and `logPosition`: how many calls and logs the frame had made before. */
export type StorageWrite = {
  address: Address
  slot: Word
  before: Word
  after: Word
  position: Hex
  logPosition: Hex
}

/** What each frame of a run wrote, by its index among the frames, in order. Nothing of frames that failed, and of those inside. */
export async function storageWrites(run: TracedRun): Promise<readonly (readonly StorageWrite[])[]> {
  return replayWithState(run, (state) => new Writes(state), { operations: new Set([sstore, ...logs]), memory: false })
}

class Writes {
  readonly #state: RunningState
  readonly #frames: StorageWrite[][] = []
  readonly #open: { writes: StorageWrite[]; calls: number; logs: number }[] = []

  constructor(state: RunningState) {
    this.#state = state
  }

  enter(): void {
    const caller = this.#open.at(-1)
    if (caller) caller.calls++
    const writes: StorageWrite[] = []
    this.#frames.push(writes)
    this.#open.push({ writes, calls: 0, logs: 0 })
  }

  exit({ error }: CallFrame, index: number): void {
    this.#open.pop()
    if (error !== undefined) for (const writes of this.#frames.slice(index)) writes.length = 0
  }

  step({ op, address, stack, error }: Step): void {
    const frame = this.#open.at(-1)
    if (!frame || error !== undefined) return
    if (op >= firstLog && op <= lastLog) frame.logs++
    if (op !== sstore) return
    const slot = wordHex(stack.at(-1) ?? 0n)
    const before = this.#state.storage(address, slot)
    const after = stack.at(-2) ?? 0n
    if (before === after) return
    const counts = { position: quantity(frame.calls), logPosition: quantity(frame.logs) }
    frame.writes.push({ address, slot, before: wordHex(before), after: wordHex(after), ...counts })
  }

  result() {
    return this.#frames
  }
}
