import type { LineTable, VariableTable } from '@understudy/client/artifacts'

/** Where an instruction comes from. */
export type CodeLocation = {
  file: string
  /** Counted from 1. */
  line: number
  /** With its contract: `Token.transfer`; `undefined` outside of functions, as in the dispatcher. */
  function: string | undefined
  /** The instruction belongs to the function as a whole, as those that enter it do. */
  isEntry: boolean
}

/** An instruction of a code, in its order. */
export type MappedInstruction = {
  pc: number
  /** `undefined` outside of the sources. */
  location: CodeLocation | undefined
  /** It belongs to what is before the body of its function. */
  isHead: boolean
  /** Where the condition that it is part of begins in its file, in bytes. */
  condition: number | undefined
}

export type Jump = 'in' | 'out'

const jumpIf = 0x57
const jumpDestination = 0x5b

/** Fields of an entry of the map: file, line, function, jump, variable and detail. */
const fields = 6
const jumps: readonly (Jump | undefined)[] = [undefined, 'in', 'out']
const unknown = -1

/**
 * The lines of a contract's code by program counter. What a table has wrong is read as unknown. It takes at most 32 bytes
 * for each byte of the code.
 */
export class CodeLines {
  readonly #table: LineTable
  readonly #code: Uint8Array
  /** The map, until it is read. */
  #map: string | undefined
  /** The instruction at each program counter, counted from 1. */
  readonly #indexes: Uint32Array
  /** The program counter of each instruction, and the first instruction of its basic block. */
  readonly #counters: Uint32Array
  readonly #blocks: Uint32Array
  #entries = new Int32Array()

  /** `code`: that was run, of which the table's `map` is. */
  constructor(table: LineTable, map: string, code: Uint8Array) {
    this.#table = table
    this.#code = code
    this.#map = map
    this.#indexes = new Uint32Array(code.length)
    const counters: number[] = []
    const blocks: number[] = []
    for (let pc = 0, index = 0, block = 0; pc < code.length; index++) {
      const op = code[pc] as number
      if (op === jumpDestination) block = index
      this.#indexes[pc] = index + 1
      counters.push(pc)
      blocks.push(block)
      if (op === jumpIf) block = index + 1
      pc += op >= 0x60 && op <= 0x7f ? op - 0x5e : 1
    }
    this.#counters = Uint32Array.from(counters)
    this.#blocks = Uint32Array.from(blocks)
  }

  /** The program counter of the instruction that follows in the code. */
  after(pc: number): number | undefined {
    const index = this.#indexAt(pc)
    return index === undefined ? undefined : this.#counters[index + 1]
  }

  operationAt(pc: number): number {
    return this.#code[pc] ?? 0
  }

  at(pc: number): CodeLocation | undefined {
    return this.#locationOf(this.#indexAt(pc))
  }

  /** The location in a function of an instruction or, if it has none, of one before it that always runs with it. */
  near(pc: number): CodeLocation | undefined {
    const from = this.#indexAt(pc)
    if (from === undefined) return undefined
    for (let index = from; index >= (this.#blocks[from] as number); index--) {
      const location = this.#locationOf(index)
      if (location?.function !== undefined && !location.isEntry) return location
    }
    return undefined
  }

  /** The location of the first instruction of the basic block of another one. */
  blockOf(pc: number): CodeLocation | undefined {
    const index = this.#indexAt(pc)
    return index === undefined ? undefined : this.#locationOf(this.#blocks[index])
  }

  /**
   * Where the function begins that runs for a selector, `constructor`, `fallback` or `receive`. Without a syntax tree, it is
   * found by its name; `undefined` if there are several.
   */
  calledBy(key: string, name: string): CodeLocation | undefined {
    const { called, files, functions } = this.#table
    const [position = unknown, number = unknown, line = 0] = (called && Object.hasOwn(called, key) && called[key]) || []
    const file = files[number]
    if (file === undefined || line <= 0) return this.#entryOf(name)
    return { file, line, function: functions[position], isEntry: true }
  }

  #entryOf(name: string): CodeLocation | undefined {
    const { starts, functions } = this.#table
    const isNamed = (each: string | undefined) => bareName(each) === name
    const locations = starts
      ? functions.flatMap((each, index) => (isNamed(each) ? [this.#startOf(index)] : []))
      : this.#entryLocations().filter((location) => isNamed(location.function))
    const different = new Set(locations.map((location) => location && `${location.line}:${location.file}`))
    return different.size === 1 ? locations[0] : undefined
  }

  #startOf(index: number): CodeLocation | undefined {
    const [number = unknown, line = 0] = this.#table.starts?.[index] ?? []
    const file = this.#table.files[number]
    return file === undefined ? undefined : { file, line, function: this.#table.functions[index], isEntry: true }
  }

  /** Of tables that do not say where functions begin, as earlier versions made them. */
  #entryLocations(): CodeLocation[] {
    const locations = Array.from(this.#counters, (_, index) => this.#locationOf(index))
    return locations.flatMap((location) => (location?.isEntry ? [location] : []))
  }

  *instructions(): Generator<MappedInstruction> {
    const entries = this.#read()
    for (const [index, pc] of this.#counters.entries()) {
      const detail = entries[index * fields + 5] as number
      const condition = this.#table.conditions?.[detail]
      yield { pc, location: this.#locationOf(index), isHead: detail === -2, condition }
    }
  }

  /** The lines of functions that have instructions, by file. */
  linesByFile(): Map<string, Set<number>> {
    const lines = new Map<string, Set<number>>()
    for (const { location } of this.instructions()) {
      if (location?.function === undefined || location.isEntry) continue
      const known = lines.get(location.file)
      if (known) known.add(location.line)
      else lines.set(location.file, new Set([location.line]))
    }
    return lines
  }

  jumpAt(pc: number): Jump | undefined {
    const index = this.#indexAt(pc)
    return index === undefined ? undefined : jumps[this.#read()[index * fields + 3] as number]
  }

  /** The memory that it needs at most, in bytes, about. */
  get bytes(): number {
    return this.#indexes.length * 32 + (this.#table.locals?.variables.length ?? 0) * 150
  }

  /** The local variables of its functions, if they were imported. */
  get locals(): VariableTable | undefined {
    return this.#table.locals
  }

  /** The position of the newest local variable in scope at an instruction; -1 where none is known. */
  variableAt(pc: number): number {
    const index = this.#indexAt(pc)
    return (index === undefined ? undefined : this.#read()[index * fields + 4]) ?? unknown
  }

  #indexAt(pc: number): number | undefined {
    const index = this.#indexes[pc]
    return index ? index - 1 : undefined
  }

  #locationOf(index: number | undefined): CodeLocation | undefined {
    if (index === undefined) return undefined
    const entries = this.#read()
    const at = index * fields
    const file = this.#table.files[entries[at] as number]
    const line = entries[at + 1] as number
    const position = entries[at + 2] as number
    if (file === undefined || line <= 0) return undefined
    const isEntry = position < -1
    return { file, line, function: this.#table.functions[isEntry ? -2 - position : position], isEntry }
  }

  /** The entries of the instructions; unknown beyond the end of the map. */
  #read(): Int32Array {
    if (this.#map === undefined) return this.#entries
    const count = this.#counters.length
    this.#entries = new Int32Array(count * fields).fill(unknown)
    let [file, line, fn, jump, variable, detail] = [unknown, 0, unknown, 0, unknown, unknown]
    for (const [index, entry] of this.#map.split(';', count).entries()) {
      const [first, second, third, fourth, fifth, last] = entry.split(':', fields)
      file = numberOf(first, file)
      line = numberOf(second, line)
      fn = numberOf(third, fn)
      if (fourth) jump = fourth === 'i' ? 1 : fourth === 'o' ? 2 : 0
      variable = numberOf(fifth, variable)
      detail = numberOf(last, detail)
      this.#entries.set([file, line, fn, jump, variable, detail], index * fields)
    }
    this.#map = undefined
    return this.#entries
  }
}

function numberOf(field: string | undefined, last: number): number {
  if (!field) return last
  const number = Number(field)
  return Number.isInteger(number) && Math.abs(number) < 2 ** 31 ? number : unknown
}

/** The name of a function without its contract. */
export const bareName = (name: string | undefined): string | undefined => name?.replace(/^.*\./, '')
