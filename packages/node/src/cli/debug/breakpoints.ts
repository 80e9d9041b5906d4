import type { Result } from '@understudy/client/methods'
import type { DebugProtocol } from '@vscode/debugprotocol'
import type { DebugEntry, DebugMove } from './debugRun.ts'
import type { Slot } from './variables.ts'

export type FileLines = Result<'dev_debugLines'>[number]
type LineBreakpoint = DebugProtocol.Breakpoint & { line: number }
type Events = Extract<DebugMove, { lines?: unknown }>

/** The filters for failures of calls, and for calls. */
export const failures = 'failures'
export const calls = 'calls'

/** Where `continue` stops. */
export class Breakpoints {
  readonly #files: ReadonlyMap<string, FileLines>
  readonly #lines = new Map<string, { id: number; line: number }[]>()
  #slots: Slot[] = []
  #reverts = false
  #calls = false
  #lastId = 0

  constructor(files: readonly FileLines[]) {
    this.#files = new Map(files.map((each) => [each.file, each]))
  }

  /** Replaces the breakpoints of a file. One where no code is moves to the next line that has some. */
  setLines(file: string | undefined, wanted: readonly number[]): LineBreakpoint[] {
    const known = file === undefined ? undefined : this.#files.get(file)
    const set: { id: number; line: number }[] = []
    const answers = wanted.map((line): LineBreakpoint => {
      const id = ++this.#lastId
      if (!known) return { id, verified: false, line, message: 'No contract that runs has code of this file' }
      const next = known.lines.find((each) => each >= line)
      if (next === undefined) return { id, verified: false, line, message: 'There is no code at or after this line' }
      if (!known.reached.includes(next))
        return { id, verified: false, line: next, message: `This transaction does not come to line ${next}` }
      set.push({ id, line: next })
      return { id, verified: true, line: next }
    })
    if (file !== undefined) this.#lines.set(file, set)
    return answers
  }

  setSlots(ids: readonly string[]): DebugProtocol.Breakpoint[] {
    const slots = ids.map(slotFrom)
    this.#slots = slots.filter((slot) => slot !== undefined)
    return slots.map((slot, index) => ({
      id: ++this.#lastId,
      verified: slot !== undefined,
      ...(slot === undefined && { message: `${ids[index]} is no slot of a contract: address:slot` }),
    }))
  }

  setFilters(filters: readonly string[]): void {
    this.#reverts = filters.includes(failures)
    this.#calls = filters.includes(calls)
  }

  get events(): Events {
    const lines = [...this.#lines].flatMap(([file, set]) => set.map(({ line }) => ({ file, line })))
    return { lines, writes: this.#slots as Events['writes'], calls: this.#calls, reverts: this.#reverts }
  }

  /** The breakpoints at a line. */
  linesAt({ file, line }: Pick<DebugEntry, 'file' | 'line'>): number[] {
    return (this.#lines.get(file ?? '') ?? []).filter((each) => each.line === line).map(({ id }) => id)
  }
}

/** The id of a data breakpoint. */
export const slotId = ({ address, slot }: Slot): string => `${address}:${slot}`

function slotFrom(id: string): Slot | undefined {
  const [, address, slot] = /^(0x[\da-f]{40}):(0x[\da-f]{1,64})$/i.exec(id) ?? []
  return address !== undefined && slot !== undefined ? { address, slot } : undefined
}
